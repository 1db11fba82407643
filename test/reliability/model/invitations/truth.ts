import type { Truth } from "../explain.ts";
import { accept, cancel, reject, sendAgain } from "./answering.ts";
import type { CallOf, InvitationCall } from "./calls.ts";
import { invite } from "./inviting.ts";
import { add, deleteOrganization, giveRole, leave, remove } from "./membership.ts";
import type { InvitationsState, Rule } from "./state.ts";
import { createTeam, removeTeam } from "./teams.ts";

const rules: { [Kind in InvitationCall["kind"]]: Rule<CallOf<Kind>> } = {
  invite,
  accept,
  reject,
  cancel,
  "send-again": sendAgain,
  remove,
  leave,
  "give-role": giveRole,
  add,
  "create-team": createTeam,
  "remove-team": removeTeam,
  delete: deleteOrganization,
};

/** Other calls may run between a call's check and its change. */
export const invitationsTruth = {
  step: (state, call, memory) => {
    const rule = rules[call.kind] as Rule<InvitationCall>; // the rule of its kind
    if (memory !== undefined) return { reply: rule.act(state, call) };
    const refusal = rule.look(state, call);
    return refusal === undefined ? { memory: "looked" } : { reply: refusal };
  },
} satisfies Truth<InvitationsState, InvitationCall>;
