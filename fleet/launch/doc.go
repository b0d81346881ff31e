// Package launch holds templates that start workers, see its README.md. There is nothing to
// import.
package launch
