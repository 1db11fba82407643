import { call, type CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";

const { adminListIdentityAudit, adminListRefusedSignIns } = operations.identity;

const refusedAction = "sign-in.refused";

type Reply = CallReply<typeof adminListRefusedSignIns>;
type LoggedEntry = CallReply<typeof adminListIdentityAudit>["entries"][number];

/** Returns the refused sign-ins of a user, day, address and reason in the form of an audit entry, at the time of the last one. */
const toEntry = (refused: Reply["refusedSignIns"][number]): LoggedEntry => ({
  id: refused.id,
  occurredAt: refused.lastAt,
  actor: { kind: "anonymous", id: null },
  subject: { kind: "user", id: refused.userId },
  action: refusedAction,
  outcome: "refused",
  address: refused.ipAddress,
  requestId: "",
  before: null,
  after: { reason: refused.reason, count: refused.count, firstAt: refused.firstAt },
  seal: null,
});

/** Whether a filter of the audit log can match a refused sign-in. Neither the caller nor the request is stored. */
export const matchesRefused = ({
  q = "",
  outcome,
  actor,
  address,
  request,
}: {
  readonly q?: string | undefined;
  readonly outcome?: string | undefined;
  readonly actor?: string | readonly string[] | undefined;
  readonly address?: string | undefined;
  readonly request?: string | undefined;
}): boolean =>
  refusedAction.includes(q) &&
  outcome !== "success" &&
  [actor, address, request].every((one) => one === undefined);

interface RefusedPage {
  readonly limit: string;
  readonly cursor: string | undefined;
  readonly userId: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

export const readRefusedSignIns = async (
  query: RefusedPage,
  signal: AbortSignal,
): Promise<{ entries: LoggedEntry[]; nextCursor?: string | undefined }> => {
  const { refusedSignIns, nextCursor } = await call(adminListRefusedSignIns, { query }, signal);
  return { entries: refusedSignIns.map(toEntry), nextCursor };
};
