#include "textflag.h"

// func pread(fd uintptr, to unsafe.Pointer, n uintptr) uintptr
TEXT ·pread(SB), NOSPLIT, $0-32
	MOVD	fd+0(FP), R0
	MOVD	to+8(FP), R1
	MOVD	n+16(FP), R2
	MOVD	$0, R3
	MOVD	$67, R8 // pread64
	SVC
	MOVD	R0, ret+24(FP)
	RET

// func mmap(fd, size uintptr) unsafe.Pointer
TEXT ·mmap(SB), NOSPLIT, $0-24
	MOVD	$0, R0
	MOVD	size+8(FP), R1
	MOVD	$3, R2 // PROT_READ|PROT_WRITE
	MOVD	$1, R3 // MAP_SHARED
	MOVD	fd+0(FP), R4
	MOVD	$0, R5
	MOVD	$222, R8 // mmap
	SVC
	CMN	$4095, R0
	BCC	ok
	MOVD	$0, R0
ok:
	MOVD	R0, ret+16(FP)
	RET

// func shut(fd uintptr)
TEXT ·shut(SB), NOSPLIT, $0-8
	MOVD	fd+0(FP), R0
	MOVD	$57, R8 // close
	SVC
	RET

// func cpuTime() uint64
TEXT ·cpuTime(SB), NOSPLIT, $16-8
	MOVD	$2, R0 // CLOCK_PROCESS_CPUTIME_ID
	MOVD	RSP, R1
	ADD	$8, R1
	MOVD	$113, R8 // clock_gettime
	SVC
	MOVD	8(RSP), R0
	MOVD	$1000000000, R1
	MUL	R1, R0
	MOVD	16(RSP), R1
	ADD	R1, R0
	MOVD	R0, ret+0(FP)
	RET
