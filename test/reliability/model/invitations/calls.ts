import type { Role } from "./state.ts";

interface By {
  /** The user whose session makes the call. */
  by: string;
}

interface In {
  organization: string;
}

interface Place {
  role: Role;
  team: string | null;
}

export type InvitationCall =
  | ({ kind: "invite"; invitation: string; person: string; resend: boolean } & Place & By & In)
  | ({ kind: "accept"; invitation: string; member: string } & By)
  | ({ kind: "reject"; invitation: string } & By)
  | ({ kind: "cancel"; invitation: string } & By)
  | ({ kind: "send-again"; invitation: string } & By)
  | ({ kind: "remove"; person: string } & By & In)
  | ({ kind: "leave" } & By & In)
  | ({ kind: "give-role"; member: string; role: Role } & By & In)
  | ({ kind: "add"; member: string; person: string } & Place & In)
  | ({ kind: "create-team"; team: string } & By & In)
  | ({ kind: "remove-team"; team: string } & By & In)
  | ({ kind: "delete" } & By & In);

export type CallOf<Kind extends InvitationCall["kind"]> = Extract<InvitationCall, { kind: Kind }>;
