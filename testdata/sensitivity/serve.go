package sensitivity

// serve is the first layer: fifteen calls that work and one that leads on.
func serve(d *desk) {
	step00(d)
	step01(d)
	step02(d)
	step03(d)
	step04(d)
	step05(d)
	step06(d)
	step07(d)
	step08(d)
	step09(d)
	step10(d)
	route(d)
	step12(d)
	step13(d)
	step14(d)
	step15(d)
}

func step00(d *desk) { d.work(20) }

func step01(d *desk) { d.work(20) }

func step02(d *desk) { d.work(20) }

func step03(d *desk) { d.work(20) }

func step04(d *desk) { d.work(20) }

func step05(d *desk) { d.work(20) }

func step06(d *desk) { d.work(20) }

func step07(d *desk) { d.work(20) }

func step08(d *desk) { d.work(20) }

func step09(d *desk) { d.work(20) }

func step10(d *desk) { d.work(20) }

func step12(d *desk) { d.work(20) }

func step13(d *desk) { d.work(20) }

func step14(d *desk) { d.work(20) }

func step15(d *desk) { d.work(20) }
