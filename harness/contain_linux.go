package harness

import (
	"bytes"
	"math"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// A warden starts processes and leaves nothing behind of those that they start. Whoever
// leaves its group, as a daemon does, becomes a child of this process when its parent
// is gone, and is killed when none runs any more that may be its own.
type warden struct {
	mu    sync.Mutex
	ours  map[int]bool // processes that were started here and have not ended
	adopt sync.Once
}

var guard = warden{ours: make(map[int]bool)}

// start starts a process. Each has a session of its own, so that it can join no group
// of ours, nor read from the terminal.
func (w *warden) start(cmd *exec.Cmd) error {
	w.adopt.Do(func() {
		unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
		// What was open when this program was started is not for those that it starts.
		unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC)
	})
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := cmd.Start(); err != nil {
		return err
	}
	w.ours[cmd.Process.Pid] = true
	return nil
}

// ended is called when a process was waited for.
func (w *warden) ended(pid int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.ours, pid)
	if len(w.ours) > 0 {
		return
	}
	for range 1000 { // who forks faster than that is beyond us
		strays := w.strays()
		if len(strays) == 0 {
			return
		}
		for _, pid := range strays {
			unix.Kill(pid, unix.SIGKILL)
		}
		for _, pid := range strays {
			reap(pid)
		}
	}
}

// reap waits for a process that was killed, and not for ever: one that waits for a disk
// ends when that answers.
func reap(pid int) {
	for range 100 {
		if got, err := unix.Wait4(pid, nil, unix.WNOHANG, nil); err == unix.EINTR || err == nil && got == 0 {
			time.Sleep(time.Millisecond)
			continue
		}
		return
	}
}

// strays are this process's children that it did not start: they are of another session,
// and the commands that others run here, such as git, are of ours.
func (w *warden) strays() []int {
	if err := unix.Waitid(unix.P_ALL, 0, nil, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil); err == unix.ECHILD {
		return nil
	}
	session, err := unix.Getsid(0)
	if err != nil {
		return nil
	}
	self, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer self.Close()
	names, _ := self.Readdirnames(-1)
	var list []int
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil || w.ours[pid] {
			continue
		}
		if parent, sid, ok := family(pid); ok && parent == os.Getpid() && sid != session {
			list = append(list, pid)
		}
	}
	return list
}

// family reads the parent and the session of a process. Its name, in parentheses, may
// hold anything.
func family(pid int) (parent, session int, ok bool) {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, 0, false
	}
	fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:])) // state, parent, group, session
	if len(fields) < 4 {
		return 0, 0, false
	}
	parent, err = strconv.Atoi(fields[1])
	if err != nil {
		return 0, 0, false
	}
	session, err = strconv.Atoi(fields[3])
	return parent, session, err == nil
}

// mostFile is how large a file may be that a workload writes, in bytes.
const mostFile = 16 << 30

// confine bounds what a process and those that it starts take: memory that it writes
// to, where that is bounded, the size of files; and it leaves no core file.
func confine(pid int, memory int64) {
	limit := func(what int, most uint64) {
		unix.Prlimit(pid, what, &unix.Rlimit{Cur: most, Max: most}, nil)
	}
	if memory > 0 {
		limit(unix.RLIMIT_DATA, uint64(memory))
	}
	limit(unix.RLIMIT_FSIZE, mostFile)
	limit(unix.RLIMIT_CORE, 0)
}

// HalfOfMemory is half of what this machine has, or this container, in bytes; 0 where
// that is not known.
func HalfOfMemory() int64 {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	total := int64(info.Totalram) * int64(info.Unit)
	if most, err := strconv.ParseInt(readFact("/sys/fs/cgroup/memory.max"), 10, 64); err == nil && most < total {
		total = most
	}
	return total / 2
}
