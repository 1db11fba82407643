import type { BadgeTone } from "@latchkey/ui/components/badge.tsx";
import type { Invitation } from "./use-organization.ts";

interface InvitationState {
  readonly label: string;
  readonly tone: BadgeTone;
  /** It can still be accepted, and thus sent again. */
  readonly isOpen: boolean;
}

const settled: Record<Exclude<Invitation["status"], "pending">, InvitationState> = {
  accepted: { label: "Accepted", tone: "success", isOpen: false },
  rejected: { label: "Rejected", tone: "neutral", isOpen: false },
  canceled: { label: "Canceled", tone: "neutral", isOpen: false },
};

/** Returns the current state of an invitation. */
export const invitationState = (
  { status, expiresAt }: Pick<Invitation, "status" | "expiresAt">,
  now: Date,
): InvitationState => {
  if (status !== "pending") return settled[status];
  return new Date(expiresAt) > now
    ? { label: "Pending", tone: "accent", isOpen: true }
    : { label: "Expired", tone: "warning", isOpen: false };
};
