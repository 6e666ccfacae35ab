//@ verdict: holds
//@ errors: 0
//@ states: 13
//@ transitions: 17
// A server and two clients that meet over channels without a buffer: sender and receiver take the
// step together. Each client sends the channel on which it wants the answer.

mtype = { request, release };

chan server_door = [0] of { mtype, chan };

active proctype server()
{
  chan client;

end:
  do
  :: server_door?request, client ->
     client!true;                    /* now this client has the resource */
     server_door?release, eval(client)
  od
}

byte users;

active [2] proctype client()
{
  chan mine = [0] of { bool };

end:
  do
  :: server_door!request, mine;
     mine?true;
     users++;
     assert(users == 1);
     users--;
     server_door!release, mine
  od
}
