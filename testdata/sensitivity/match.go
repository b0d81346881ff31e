package sensitivity

// match is the third layer. A regression is planted in one of what it calls.
func match(d *desk) {
	rule00(d)
	rule01(d)
	rule02(d)
	rule03(d)
	rule04(d)
	rule05(d)
	rule06(d)
	rule07(d)
	rule08(d)
	rule09(d)
	rule10(d)
	rule11(d)
	rule12(d)
	rule13(d)
	rule14(d)
	rule15(d)
}

func rule00(d *desk) { d.work(20) }

func rule01(d *desk) { d.work(20) }

func rule02(d *desk) { d.work(20) }

func rule03(d *desk) { d.work(20) }

func rule04(d *desk) { d.work(20) }

func rule05(d *desk) { d.work(20) }

func rule06(d *desk) { d.work(20) }

func rule07(d *desk) { d.work(20) }

func rule08(d *desk) { d.work(20) }

func rule09(d *desk) { d.work(20) }

func rule10(d *desk) { d.work(20) }

func rule11(d *desk) { d.work(20) }

func rule12(d *desk) { d.work(20) }

func rule13(d *desk) { d.work(20) }

func rule14(d *desk) { d.work(20) }

func rule15(d *desk) { d.work(20) }
