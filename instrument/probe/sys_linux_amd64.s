#include "textflag.h"

// func pread(fd uintptr, to unsafe.Pointer, n uintptr) uintptr
TEXT ·pread(SB), NOSPLIT, $0-32
	MOVQ	fd+0(FP), DI
	MOVQ	to+8(FP), SI
	MOVQ	n+16(FP), DX
	MOVQ	$0, R10
	MOVQ	$17, AX // pread64
	SYSCALL
	MOVQ	AX, ret+24(FP)
	RET

// func mmap(fd, size uintptr) unsafe.Pointer
TEXT ·mmap(SB), NOSPLIT, $0-24
	MOVQ	$0, DI
	MOVQ	size+8(FP), SI
	MOVQ	$3, DX  // PROT_READ|PROT_WRITE
	MOVQ	$1, R10 // MAP_SHARED
	MOVQ	fd+0(FP), R8
	MOVQ	$0, R9
	MOVQ	$9, AX // mmap
	SYSCALL
	CMPQ	AX, $0xfffffffffffff001
	JCS	ok
	MOVQ	$0, AX
ok:
	MOVQ	AX, ret+16(FP)
	RET

// func shut(fd uintptr)
TEXT ·shut(SB), NOSPLIT, $0-8
	MOVQ	fd+0(FP), DI
	MOVQ	$3, AX // close
	SYSCALL
	RET

// func cpuTime() uint64
TEXT ·cpuTime(SB), NOSPLIT, $16-8
	MOVQ	$2, DI // CLOCK_PROCESS_CPUTIME_ID
	LEAQ	0(SP), SI
	MOVQ	$228, AX // clock_gettime
	SYSCALL
	MOVQ	0(SP), AX
	IMULQ	$1000000000, AX
	ADDQ	8(SP), AX
	MOVQ	AX, ret+0(FP)
	RET
