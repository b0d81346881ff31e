package harness

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// groupLeader puts the child into a session and a process group of its own and has it
// killed when this process dies first.
func groupLeader() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

// awaitExit returns when the process has exited, and doesn't reap it.
func awaitExit(cmd *exec.Cmd) error {
	for {
		err := unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			return err
		}
	}
}

// wasParent says whether a process that has exited, and was not reaped, had waited for
// processes of its own: their page faults are counted to it.
func wasParent(pid int) bool {
	stat, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	text := string(stat)
	fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	const childrensFaults = 8 // cminflt, of the fields behind the name
	return len(fields) > childrensFaults && fields[childrensFaults] != "0"
}

// pinned runs f, which starts a process, on the n-th of the processors that this
// process may use, so that the child and all its threads may use no other. The
// goroutine must be locked to its thread. Where that can't be done, f runs
// anyway: it is a matter of noise.
func pinned(n int, f func() error) error {
	var all, one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil || all.Count() == 0 {
		return f()
	}
	one.Set(nthCPU(&all, n%all.Count()))
	if err := unix.SchedSetaffinity(0, &one); err != nil {
		return f()
	}
	defer unix.SchedSetaffinity(0, &all)
	return f()
}

func nthCPU(set *unix.CPUSet, n int) int {
	for cpu := 0; ; cpu++ {
		if set.IsSet(cpu) {
			if n == 0 {
				return cpu
			}
			n--
		}
	}
}
