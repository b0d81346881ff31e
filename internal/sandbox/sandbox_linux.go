package sandbox

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// An Entry is the way of one process into its sandbox.
type Entry struct {
	told, tell *os.File // what the way in cost, or why there is none
	begun      time.Time
}

// arg0 makes this program the way in. Whoever gives it has its own rights, and no others.
const arg0 = "(pinpoint: entering a sandbox)"

// orders are what the way in is told.
type orders struct {
	View
	Path  string   // of the program; "" is to look whether there is a way
	Args  []string // from argument 0 on
	Dir   string
	Files int // descriptors from 4 on, which are the program's from 3 on
}

// tellFile is the descriptor of the way in that the parent reads. The program's first own
// one would be this; but what it is may be opened by packages of this program, too, before
// the way in has begun.
const tellFile = 3

// Prepare has a command that was not started yet start in a sandbox. The command's
// descriptors must be complete, and its environment not nil.
func Prepare(cmd *exec.Cmd, v View) (*Entry, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("preparing the sandbox: %w", err)
	}
	o := orders{View: v, Path: cmd.Path, Args: cmd.Args, Dir: cmd.Dir, Files: len(cmd.ExtraFiles)}
	text, err := json.Marshal(o)
	if err != nil {
		return nil, fmt.Errorf("preparing the sandbox: %w", err)
	}
	e := &Entry{begun: time.Now()}
	if e.told, e.tell, err = os.Pipe(); err != nil {
		return nil, fmt.Errorf("preparing the sandbox: %w", err)
	}
	cmd.Path, cmd.Args, cmd.Dir = self, []string{arg0, string(text)}, ""
	cmd.ExtraFiles = append([]*os.File{e.tell}, cmd.ExtraFiles...)
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	a := cmd.SysProcAttr
	a.Cloneflags |= unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC
	a.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
	a.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
	// Whoever is not root would lose the rights in its own namespaces with its image.
	a.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_SETPCAP}
	return e, nil
}

// Close gives the entry of a command up that could not be started.
func (e *Entry) Close() {
	e.tell.Close()
	e.told.Close()
}

// Await waits until a command that was started is the program that was asked for, and
// gives what the way there took from [Prepare] on, and of it processor time. The error
// says why it did not get there.
func (e *Entry) Await() (wall, cpu time.Duration, err error) {
	e.tell.Close()
	defer e.told.Close()
	said, err := io.ReadAll(io.LimitReader(e.told, 1<<12))
	if err != nil {
		return 0, 0, fmt.Errorf("entering the sandbox: %w", err)
	}
	if len(said) != 16 {
		if len(said) == 0 {
			said = []byte("it was ended on the way")
		}
		return 0, 0, fmt.Errorf("entering the sandbox: %s", said)
	}
	since := time.Duration(monotonic() - int64(binary.NativeEndian.Uint64(said)))
	return time.Since(e.begun) - since, time.Duration(binary.NativeEndian.Uint64(said[8:])), nil
}

// monotonic is in nanoseconds, the same for all processes.
func monotonic() int64 {
	var now unix.Timespec
	unix.ClockGettime(unix.CLOCK_MONOTONIC, &now)
	return now.Nano()
}

// Possible says why a process can't be started in a sandbox here, nil where it can.
var Possible = sync.OnceValue(func() error {
	cmd := &exec.Cmd{Env: []string{}, SysProcAttr: &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}}
	e, err := Prepare(cmd, View{})
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		e.Close()
		return fmt.Errorf("making namespaces: %w", err)
	}
	_, _, err = e.Await()
	return errors.Join(err, cmd.Wait())
})

// The way in is this program itself, before anything else of it runs: whoever starts one,
// a test too, need not know of it.
func init() {
	if len(os.Args) == 2 && os.Args[0] == arg0 {
		enter(os.Args[1])
	}
}

// enter is the way in. It does not come back.
func enter(text string) {
	var o orders
	var tell *os.File
	err := json.Unmarshal([]byte(text), &o)
	if err == nil {
		tell, err = o.passOn()
	}
	if err == nil {
		err = o.follow(tell)
	}
	if err != nil {
		tell.WriteString(err.Error())
	}
	if err != nil || o.Path != "" {
		os.Exit(1)
	}
	os.Exit(0)
}

// passOn gives the program its descriptors, and none besides, and itself another one for
// the parent.
func (o orders) passOn() (*os.File, error) {
	fd, err := unix.FcntlInt(tellFile, unix.F_DUPFD_CLOEXEC, tellFile+o.Files+1)
	if err != nil {
		return nil, err
	}
	for i := range o.Files {
		if err := unix.Dup3(tellFile+i+1, tellFile+i, 0); err != nil {
			return nil, err
		}
	}
	// What whoever started us left open is not the program's either.
	unix.CloseRange(uint(tellFile+o.Files), math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC)
	return os.NewFile(uintptr(fd), "tell"), nil
}

func (o orders) follow(tell *os.File) error {
	if err := loopback(); err != nil {
		return fmt.Errorf("starting the loopback: %w", err)
	}
	if err := o.mount(); err != nil {
		return err
	}
	if o.Dir != "" {
		if err := os.Chdir(o.Dir); err != nil {
			return err
		}
	}
	if err := renounce(); err != nil {
		return fmt.Errorf("giving up rights: %w", err)
	}
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		return err
	}
	cost := binary.NativeEndian.AppendUint64(nil, uint64(monotonic()))
	cost = binary.NativeEndian.AppendUint64(cost, uint64(used.Utime.Nano()+used.Stime.Nano()))
	// Who started us may be gone: nobody reads then, and SIGPIPE ends this.
	if _, err := tell.Write(cost); err != nil || o.Path == "" {
		return err
	}
	return fmt.Errorf("running %s: %w", o.Path, syscall.Exec(o.Path, o.Args, os.Environ()))
}

// loopback makes 127.0.0.1 answer: servers are measured by it.
func loopback() error {
	s, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(s)
	request, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	request.SetUint16(unix.IFF_UP)
	return unix.IoctlIfreq(s, unix.SIOCSIFFLAGS, request)
}

// renounce gives up all rights over the namespaces, for what this thread becomes.
func renounce() error {
	for c := range uintptr(unix.CAP_LAST_CAP + 1) {
		// What the kernel does not know, it does not have.
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0); err != nil && err != unix.EINVAL {
			return err
		}
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return err
	}
	none := [2]unix.CapUserData{}
	if err := unix.Capset(&unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, &none[0]); err != nil {
		return err
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	// Another set of rights than the parent's made the kernel forget it.
	return unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0)
}

// harmless are the devices that everything needs.
var harmless = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}

// mount makes the view. What stays is taken hold of first, then everything is made
// read-only, then hidden, and what was taken hold of is put back.
func (o orders) mount() error {
	const apart = unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV
	var kept []grant
	for _, list := range []struct {
		paths []string
		attr  uint64
	}{{o.Readable, apart | unix.MOUNT_ATTR_RDONLY}, {o.Writable, apart}, {harmless, unix.MOUNT_ATTR_NOSUID}} {
		for _, name := range list.paths {
			g, err := hold(name, list.attr)
			if errors.Is(err, os.ErrNotExist) {
				continue
			}
			if err != nil {
				return fmt.Errorf("keeping %s: %w", name, err)
			}
			kept = append(kept, g)
		}
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("making the mounts private: %w", err)
	}
	if err := setAttr(unix.AT_FDCWD, "/", apart|unix.MOUNT_ATTR_RDONLY); err != nil {
		return fmt.Errorf("making everything read-only: %w", err)
	}
	if err := unix.Mount("proc", "/proc", "proc", unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return fmt.Errorf("mounting /proc: %w", err)
	}
	if err := o.hide(); err != nil {
		return err
	}
	slices.SortFunc(kept, func(a, b grant) int { return len(a.path) - len(b.path) })
	for _, g := range kept {
		if err := g.put(); err != nil {
			return fmt.Errorf("showing %s: %w", g.path, err)
		}
	}
	return unix.Mount("", "/dev", "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NOEXEC, "")
}

// A grant is a file or directory that stays visible.
type grant struct {
	path string
	dir  bool
	tree int // descriptor of a mount that is nowhere yet
}

func hold(name string, attr uint64) (grant, error) {
	name, err := filepath.EvalSymlinks(name)
	if err != nil {
		return grant{}, err
	}
	info, err := os.Stat(name)
	if err != nil {
		return grant{}, err
	}
	tree, err := unix.OpenTree(unix.AT_FDCWD, name, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE)
	if err != nil {
		return grant{}, err
	}
	return grant{name, info.IsDir(), tree}, setAttr(tree, "", attr)
}

func setAttr(dir int, name string, attr uint64) error {
	return unix.MountSetattr(dir, name, unix.AT_EMPTY_PATH|unix.AT_RECURSIVE, &unix.MountAttr{Attr_set: attr})
}

// put makes the place of what stays, where one above it was hidden, and puts it there.
func (g grant) put() error {
	if _, err := os.Lstat(g.path); err != nil {
		make := os.MkdirAll
		if !g.dir {
			make = func(name string, mode os.FileMode) error {
				return errors.Join(os.MkdirAll(filepath.Dir(name), mode), os.WriteFile(name, nil, mode))
			}
		}
		if err := make(g.path, 0o700); err != nil {
			return err
		}
	}
	return unix.MoveMount(g.tree, "", unix.AT_FDCWD, g.path, unix.MOVE_MOUNT_F_EMPTY_PATH)
}

// always are directories that no workload needs: the terminals, sockets and files of
// others.
var always = map[string]string{
	"/dev": "mode=755,size=64k", "/tmp": "mode=1777,size=" + most, "/var/tmp": "mode=1777,size=" + most, "/run": "mode=755,size=64k", "/var/run": "mode=755,size=64k",
}

// most is what may be written to a hidden directory, in bytes: it is memory.
const most = "256m"

// hide puts empty directories over those that are hidden.
func (o orders) hide() error {
	places := make(map[string]string)
	for name, data := range always {
		places[name] = data
	}
	for _, name := range o.Hidden {
		// What is not there can't be seen. All of it is more than can be hidden.
		if real, err := filepath.EvalSymlinks(name); err == nil && real != "/" && places[real] == "" {
			places[real] = "mode=700,size=" + most
		}
	}
	names := make([]string, 0, len(places))
	for name := range places {
		names = append(names, name)
	}
	slices.Sort(names) // those above first
	for _, name := range names {
		info, err := os.Lstat(name)
		if errors.Is(err, os.ErrNotExist) && slices.Contains(o.Hidden, name) {
			// One above it is hidden already. An empty home is a home.
			os.MkdirAll(name, 0o700)
		}
		if err != nil || !info.IsDir() {
			continue
		}
		if err := unix.Mount("tmpfs", name, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, places[name]); err != nil {
			return fmt.Errorf("hiding %s: %w", name, err)
		}
		if name == "/dev" { // before an empty home is made below it
			if err := furnishDev(); err != nil {
				return err
			}
		}
	}
	return nil
}

func furnishDev() error {
	for i, name := range []string{"/dev/fd", "/dev/stdin", "/dev/stdout", "/dev/stderr"} {
		target := "/proc/self/fd"
		if i > 0 {
			target += "/" + strconv.Itoa(i-1)
		}
		if err := os.Symlink(target, name); err != nil {
			return err
		}
	}
	if err := os.Mkdir("/dev/shm", 0o700); err != nil {
		return err
	}
	return unix.Mount("tmpfs", "/dev/shm", "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=1777,size="+most)
}
