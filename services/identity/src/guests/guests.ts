import { WireError } from "@latchkey/contracts";
import { randomToken } from "@latchkey/crypto";
import { sessionActor } from "@latchkey/service-kit/audit";
import { operatorCaller } from "../admin/operator.ts";
import { findGuestId } from "../access/link-guest.ts";
import { proposeUser, registerUser } from "../accounts/register-user.ts";
import type { Deps, Handler } from "../deps.ts";
import { eraseUser, type EraseUserNeeds } from "../profile/delete-user.ts";
import { insertGuest, listOldGuests, renewGuest } from "../users/guests/queries.ts";
import { createSession } from "../sessions/create-session.ts";
import { placeholderEmail } from "../users/email.ts";
import { toUser } from "../users/user-row.ts";

const localLength = 32;

/**
 * Creates a guest and starts its session. Nothing else ever signs a guest in. The address can receive no mail, and required fields stay
 * without values until the guest signs up.
 */
export const signInAnonymous: Handler<"signInAnonymous"> = async (deps, { caller }) => {
  if ((await findGuestId(deps, caller)) !== undefined)
    throw new WireError("ANONYMOUS_USERS_CANNOT_SIGN_IN_AGAIN_ANONYMOUSLY");
  const local = randomToken(localLength, "alphanumeric").toLowerCase();
  const proposed = await proposeUser(deps, {
    name: deps.config.anonymous.name,
    email: placeholderEmail("anonymous.placeholder", local),
    image: null,
    isAnonymous: true,
    extra: await deps.fields.user.defaults(),
  });
  const guest = await registerUser(deps, {
    // The application's hook may change the name, but gives a guest neither an address nor a role.
    user: { ...proposed, isAnonymous: true },
    caller,
    publish: (trx) => insertGuest(trx, proposed),
  });
  if (!guest) throw new WireError("FAILED_TO_CREATE_USER");
  const created = await createSession(deps, guest, {
    caller,
    remember: true,
    proof: { methods: [] },
  });
  if (!created) throw new WireError("FAILED_TO_CREATE_SESSION", { status: 500 });
  deps.guestObserver.record("created");
  return { reply: { token: created.token, user: toUser(guest) }, effect: created.effect };
};

/** Deletes the guest who calls it. */
export const deleteAnonymousUser: Handler<"deleteAnonymousUser"> = async (
  deps,
  { caller, session },
) => {
  if (deps.config.anonymous.disableDeleteAnonymousUser)
    throw new WireError("DELETE_ANONYMOUS_USER_DISABLED");
  const { id: userId, isAnonymous } = session.user;
  if (!isAnonymous) throw new WireError("USER_IS_NOT_ANONYMOUS");
  const erasure = { userId, caller, actor: sessionActor(session), onlyGuest: true };
  if (!(await eraseUser(deps, erasure))) throw new WireError("UNAUTHORIZED"); // deleted meanwhile, or signed up
  deps.guestObserver.record("deleted");
  return { reply: { success: true }, effect: { kind: "clear" } };
};

type SweepNeeds = EraseUserNeeds & Pick<Deps, "guestObserver">;

/** Deletes an old guest, unless it is in use or has signed up meanwhile. */
const sweepGuest = async (
  deps: SweepNeeds,
  { userId, endedAt }: { userId: string; endedAt: Date | null },
): Promise<boolean> => {
  const now = new Date(deps.clock());
  if (endedAt === null && (await deps.sessions.list(userId, now, 1)).length > 0) {
    await renewGuest(deps.db, { userId, now });
    return false;
  }
  const caller = operatorCaller(deps, "guests");
  const erasure = { userId, caller, actor: { kind: "system" }, onlyGuest: true } as const;
  if (!(await eraseUser(deps, erasure))) return false;
  deps.guestObserver.record("deleted");
  return true;
};

/** How many guests of a kind a sweep looks at. A process that stops waits for it, and the next sweep continues. */
const sweptMax = 1_000;
const dayMilliseconds = 86_400_000;

/**
 * Deletes guests who were handed over, and old ones without a session: nobody can be such a guest again. Guests are also deleted once the
 * feature is off. Each is deleted in its own transaction. Returns the number.
 */
export const sweepGuests = async (deps: SweepNeeds): Promise<number> => {
  const { deleteAfterDays, keepLinkedDays } = deps.config.anonymous;
  const daysAgo = (days: number) => new Date(deps.clock() - days * dayMilliseconds);
  const times = { endedBefore: daysAgo(keepLinkedDays), createdBefore: daysAgo(deleteAfterDays) };
  let deletedCount = 0;
  for (const guest of await listOldGuests(deps.db, times, sweptMax))
    if (await sweepGuest(deps, guest)) deletedCount += 1;
  return deletedCount;
};
