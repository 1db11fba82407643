import { type operations, WireError } from "@latchkey/contracts";
import { type Answer, appendEvent, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import type { CreateSessionNeeds } from "../sessions/create-session.ts";
import { replaceSession, requireReplaced } from "../sessions/replace-session.ts";
import { changeUser } from "../users/change-user.ts";
import { findUser } from "../users/find-user.ts";
import { checkFactorPassword, type CheckFactorPasswordNeeds } from "./check-factor-password.ts";
import { dropSecondFactor } from "./queries.ts";
import { isRequired } from "./requirement.ts";
import { mailLocaleOf } from "../users/mail-locale.ts";

type DisableTwoFactor = typeof operations.identity.disableTwoFactor;
type Needs = CreateSessionNeeds & CheckFactorPasswordNeeds & Pick<Deps, "db">;

/** Turns the second factor off: deletes everything that belongs to it, and replaces the session. Does nothing if it is off. */
export const disableTwoFactor = async (
  deps: Needs,
  { body, caller, session }: Call<DisableTwoFactor>,
): Promise<Answer<{ status: boolean }>> => {
  await checkFactorPassword(deps, { caller, session, password: body.password });
  const user = await findUser(deps, { id: session.user.id });
  if (!user) throw new WireError("UNAUTHORIZED"); // deleted meanwhile
  if (!user.twoFactorEnabled) return { reply: { status: true } };
  if (isRequired(deps.config, user, deps.clock())) throw new WireError("TWO_FACTOR_REQUIRED");
  const { id: userId, email, name } = user;
  const replaced = await replaceSession(deps, {
    caller,
    session,
    user,
    // A second factor that is turned on later must be passed anew.
    proof: { methods: [], secondFactorAt: null },
    change: () =>
      changeUser(deps, {
        user,
        change: { twoFactorEnabled: false },
        guard: { twoFactorEnabled: true },
        action: "two-factor.disabled",
        actor: sessionActor(session),
        caller,
        publish: async (trx) => {
          await dropSecondFactor(trx, userId);
          await appendEvent(trx, deps, {
            name: "two-factor.disabled",
            data: { userId, email, name, ...(await mailLocaleOf(trx, { userId, caller })) },
          });
        },
      }),
  });
  if (replaced.kind === "unwritten") return { reply: { status: true } }; // another request came first
  const { effect } = requireReplaced(replaced);
  const isTrusted = caller.kept?.trustedDevice !== undefined;
  const keeps = isTrusted ? { keeps: { trustedDevice: null } } : {};
  return { reply: { status: true }, effect: { ...effect, ...keeps } };
};
