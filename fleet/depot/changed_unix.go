//go:build linux || darwin

package depot

import "golang.org/x/sys/unix"

// changed is when the kernel last saw a file changed, or 0.
func changed(name string) int64 {
	var st unix.Stat_t
	if unix.Lstat(name, &st) != nil {
		return 0
	}
	return st.Ctim.Nano()
}
