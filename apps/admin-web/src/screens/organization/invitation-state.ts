import type { BadgeTone } from "@latchkey/ui/components/badge.tsx";
import type { Invitation } from "./use-organization.ts";
import { t } from "../../texts.ts";

interface InvitationState {
  readonly label: string;
  readonly tone: BadgeTone;
  /** It can still be accepted, and thus sent again. */
  readonly isOpen: boolean;
}

const settled: Record<Exclude<Invitation["status"], "pending">, InvitationState> = {
  accepted: { label: t("invitations.states.accepted"), tone: "success", isOpen: false },
  rejected: { label: t("invitations.states.rejected"), tone: "neutral", isOpen: false },
  canceled: { label: t("invitations.states.canceled"), tone: "neutral", isOpen: false },
};

/** Returns the current state of an invitation. */
export const invitationState = (
  { status, expiresAt }: Pick<Invitation, "status" | "expiresAt">,
  now: Date,
): InvitationState => {
  if (status !== "pending") return settled[status];
  return new Date(expiresAt) > now
    ? { label: t("invitations.states.pending"), tone: "accent", isOpen: true }
    : { label: t("invitations.states.expired"), tone: "warning", isOpen: false };
};
