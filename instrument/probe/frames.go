//go:build amd64 || arm64

package probe

// frames returns the goroutine, the upper end of its stack and the frame
// pointer of frames's caller: the address of the word that holds the frame
// pointer of the function above, and so on up the stack. (The frame that the
// pointer is of is that of the wrapper between Go's calling convention and the
// assembler's, one below the caller's.)
//
// The caller must be pinned: the stack can move otherwise.
//
//go:nosplit
func frames() (gp, hi, fp uintptr)
