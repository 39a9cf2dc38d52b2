def ses(c,t,h,n,vh=None):
    vh=vh or t.vh(0x2a37)
    for i in range(n): c.l.wait(985+c.rng.uniform(-8,8)); c.meas(vh,h.step())
