# Reads pinpoint's JSON report, as it is written: indented, one field a line. For the
# scripts beside it to source; report is the file's name.

# field prints the first number of a name.
# shellcheck disable=SC2154 # report is a variable of who reads this file
field() { sed -n "s/^ *\"$1\": \([-0-9.e]*\),\{0,1\}\$/\1/p" "$report" | head -n 1; }

verdict() { sed -n 's/^ *"verdict": "\([a-z-]*\)",$/\1/p' "$report" | head -n 1; }

# culprits prints the functions that are named, a line each, the largest share first.
culprits() {
	awk '/"culprits": \[/ { on = 1 } /"search": {/ { on = 0 }
		on && /^      "function":/ { gsub(/.*"function": "|",?$/, ""); print }' "$report"
}

# ratio prints that of the whole, with its interval, and pairs how many it took.
ratio() {
	awk '/^  "whole": {/ { on = 1 } on && /"ratio": {/ { r = 1 }
		r && /"(mean|low|high)"/ { gsub(/[^-0-9.e]/, "", $2); v[++n] = $2 }
		n == 3 { printf "%.3f [%.3f, %.3f]", v[1], v[2], v[3]; exit }' "$report"
}
pairs() { awk '/^  "whole": {/ { on = 1 } on && /"pairs":/ { gsub(/[^0-9]/, ""); print; exit }' "$report"; }
