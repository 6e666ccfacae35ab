//@ verdict: violated
//@ errors: 1
//@ states: 35
//@ transitions: 48
//@ violation: assertion
// A farmer wants to bring a wolf, a goat and a cabbage across a river. The boat holds the farmer and
// one of them, and without the farmer the wolf eats the goat and the goat eats the cabbage. The
// assertion says that it cannot be done: its shortest counterexample is the shortest solution.

bool farmer, wolf, goat, cabbage;    /* false: on this side, true: on the other */

#define eaten ((wolf == goat && goat != farmer) || (goat == cabbage && goat != farmer))
#define done (farmer && wolf && goat && cabbage)


active proctype river()
{
  do
  :: done -> assert(false)
  :: eaten -> break
  :: else ->
     if
     :: d_step { farmer = !farmer; printf("goes alone\n") }
     :: d_step { wolf == farmer -> wolf = !wolf; farmer = wolf; printf("takes the wolf\n") }
     :: d_step { goat == farmer -> goat = !goat; farmer = goat; printf("takes the goat\n") }
     :: d_step { cabbage == farmer -> cabbage = !cabbage; farmer = cabbage; printf("takes the cabbage\n") }
     fi
  od
}
