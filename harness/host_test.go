package harness

import (
	"runtime"
	"testing"
)

func TestHostFacts(t *testing.T) {
	const guest = "processor\t: 0\nmodel name\t: Some CPU @ 2.0: GHz\nflags\t\t: fpu hypervisor tsc\n\nprocessor\t: 1\nmodel name\t: Other\n"
	const bare = "processor\t: 0\nflags\t\t: fpu tsc\n"
	if got := cpuModel(guest); got != "Some CPU @ 2.0: GHz" {
		t.Errorf("model %q", got)
	}
	if got := cpuModel(bare); got != "" {
		t.Errorf("model %q of a file without one", got)
	}
	for _, test := range []struct{ info, hypervisor, vendor, product, want string }{
		{guest, "", "", "", "a hypervisor"},
		{guest, "", "QEMU", "Standard PC", "QEMU Standard PC"},
		{bare, "", "Maker", "Laptop", ""},
		{bare, "xen", "", "", "xen"},
	} {
		if got := virtual(test.info, test.hypervisor, test.vendor, test.product); got != test.want {
			t.Errorf("%+v: %q", test, got)
		}
	}
	if f := Host(); f.OS != runtime.GOOS || f.Cores < 1 {
		t.Errorf("this machine: %+v", f)
	}
}
