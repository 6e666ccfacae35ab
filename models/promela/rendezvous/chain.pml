//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 9
// A value handed on through three handshakes.
chan a = [0] of { byte };
chan b = [0] of { byte };
chan c = [0] of { byte };

active proctype p1() { a!1 }
active proctype p2() { byte v; a?v; b!v + 1 }
active proctype p3() { byte v; b?v; c!v + 1 }
active proctype p4() { byte v; c?v; assert(v == 3) }
