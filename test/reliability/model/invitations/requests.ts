import { invitationRowId } from "../../../harness/organizations.ts";
import type { CallOf, InvitationCall } from "./calls.ts";
import type { Ids } from "./ids.ts";

/** The result in an answer. */
export interface Made {
  id?: string;
  member?: { id: string };
}

/** Address and content of a call. */
export interface Request {
  path: string;
  body: object;
  /** Records the result. */
  keep?(made: Made): void;
}

type Requests = {
  [Kind in InvitationCall["kind"]]: (ids: Ids, call: CallOf<Kind>) => Request;
};

const teamOf = ({ teams }: Ids, team: string | null) =>
  team === null ? {} : { teamId: teams.idOf(team) };

const organizationOf = ({ organizations }: Ids, { organization }: { organization: string }) => ({
  organizationId: organizations.idOf(organization),
});

const answering =
  (path: string) =>
  ({ invitations }: Ids, { invitation }: { invitation: string }): Request => ({
    path,
    body: { invitationId: invitations.idOf(invitation) },
  });

const requests: Requests = {
  invite: (ids, call) => {
    const { role, resend } = call;
    const whom = { email: ids.emailOf(call.person), role, resend, ...teamOf(ids, call.team) };
    return {
      path: "/invite-member",
      body: { ...organizationOf(ids, call), ...whom },
      keep: ({ id = "" }) => {
        ids.invitations.add(call.invitation, id);
        // It is visible to other members who may manage invitations.
        ids.invitations.addAlias(call.invitation, invitationRowId(id));
      },
    };
  },
  accept: (ids, call) => ({
    ...answering("/accept-invitation")(ids, call),
    keep: ({ member }) => ids.members.add(call.member, member?.id ?? ""),
  }),
  reject: answering("/reject-invitation"),
  cancel: answering("/cancel-invitation"),
  "send-again": answering("/resend-invitation"),
  remove: (ids, call) => ({
    path: "/remove-member",
    body: { ...organizationOf(ids, call), memberIdOrEmail: ids.emailOf(call.person) },
  }),
  leave: (ids, call) => ({ path: "/leave", body: organizationOf(ids, call) }),
  "give-role": (ids, call) => ({
    path: "/update-member-role",
    body: {
      ...organizationOf(ids, call),
      memberId: ids.members.idOf(call.member),
      role: call.role,
    },
  }),
  add: (ids, call) => {
    const whom = { userId: ids.persons.idOf(call.person), role: call.role };
    return {
      path: "/add-member",
      body: { ...organizationOf(ids, call), ...whom, ...teamOf(ids, call.team) },
      keep: ({ id = "" }) => ids.members.add(call.member, id),
    };
  },
  "create-team": (ids, call) => ({
    path: "/create-team",
    body: { ...organizationOf(ids, call), name: call.team },
    keep: ({ id = "" }) => ids.teams.add(call.team, id),
  }),
  "remove-team": (ids, call) => ({
    path: "/remove-team",
    body: { ...organizationOf(ids, call), teamId: ids.teams.idOf(call.team) },
  }),
  delete: (ids, call) => ({ path: "/delete", body: organizationOf(ids, call) }),
};

/** Returns the request that makes a call. */
export const requestOf = (ids: Ids, call: InvitationCall): Request => {
  const make = requests[call.kind] as (ids: Ids, call: InvitationCall) => Request; // of its kind
  return make(ids, call);
};
