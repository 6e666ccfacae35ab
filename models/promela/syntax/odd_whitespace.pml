//@ verdict: holds
//@ errors: 0
//@ states: 14
//@ transitions: 14
// Tabs, blank lines, no blanks at all, and tokens spread over lines.
byte	x	;
active
proctype
main
(
)
{
x=1;x=x+1;if::x==2->x=3::else->skip
fi;do::x>0->x--::x==0->break od;


	assert	(	x
	==
	0	)
}
