import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import type { FieldValues } from "../fields/field-set.ts";
import { applyBeforeHook } from "../users/row-hooks.ts";
import { resolveSession, type ResolveSessionNeeds } from "./resolve-session.ts";
import { reissue } from "./session-rules.ts";

type UpdateSession = typeof operations.identity.updateSession;
type Needs = ResolveSessionNeeds & Pick<Deps, "fields">;

/** Applies the application's hook to the change. The hook may change values, and veto. */
const propose = async (
  deps: Needs,
  { session: { session } }: Call<UpdateSession>,
  change: FieldValues,
): Promise<FieldValues> => {
  const { token: _, ...row } = session;
  const { before } = deps.config.databaseHooks.session.update;
  const allowed: FieldValues | undefined = await applyBeforeHook({ before }, { ...row, ...change });
  if (!allowed) throw new WireError("FAILED_TO_UPDATE_SESSION");
  return Object.fromEntries(Object.keys(change).map((name) => [name, allowed[name] ?? null]));
};

/**
 * Changes the additional fields of the current session that clients may set. The time of its last extension stays, so
 * that the change does not make the session fresh.
 */
export const updateSession = async (
  deps: Needs,
  call: Call<UpdateSession>,
): Promise<Answer<OperationReply<UpdateSession>>> => {
  const { body, caller, session: current } = call;
  const sent = await deps.fields.session.read({ values: body, mode: "update" });
  if (Object.keys(sent).length === 0) throw new WireError("NO_FIELDS_TO_UPDATE");
  const change = await propose(deps, call, sent);
  const { token, userId } = current.session;
  await deps.sessions.changeFields({ tokenHash: hashToken(token), userId }, change, caller);
  const found = await resolveSession(deps, caller, { disableRefresh: true });
  if (!found) throw new WireError("UNAUTHORIZED"); // the session ended meanwhile
  const { token: _, ...row } = found.session;
  await deps.config.databaseHooks.session.update.after?.(row);
  return { reply: { session: found.session }, effect: reissue(deps, found) };
};
