package sensitivity

// route is the second layer.
func route(d *desk) {
	part00(d)
	part01(d)
	part02(d)
	part03(d)
	part04(d)
	part05(d)
	part06(d)
	part07(d)
	part08(d)
	part09(d)
	part10(d)
	match(d)
	part12(d)
	part13(d)
	part14(d)
	part15(d)
}

func part00(d *desk) { d.work(20) }

func part01(d *desk) { d.work(20) }

func part02(d *desk) { d.work(20) }

func part03(d *desk) { d.work(20) }

func part04(d *desk) { d.work(20) }

func part05(d *desk) { d.work(20) }

func part06(d *desk) { d.work(20) }

func part07(d *desk) { d.work(20) }

func part08(d *desk) { d.work(20) }

func part09(d *desk) { d.work(20) }

func part10(d *desk) { d.work(20) }

func part12(d *desk) { d.work(20) }

func part13(d *desk) { d.work(20) }

func part14(d *desk) { d.work(20) }

func part15(d *desk) { d.work(20) }
