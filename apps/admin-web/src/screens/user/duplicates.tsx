import { showEmail } from "@latchkey/contracts/email-address.ts";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Users } from "lucide-react";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { useState } from "react";
import { useAccess } from "../../access/use-access.ts";
import { Confirm } from "../../components/confirm.tsx";
import { listText, t } from "../../texts.ts";
import { richText } from "../../components/rich-text.tsx";

const { adminListDuplicates, adminUndoMerge } = operations.identity;
const route = getRouteApi("/shell/users/$userId");

type Duplicate = CallReply<typeof adminListDuplicates>["duplicates"][number];
type Merge = CallReply<typeof adminListDuplicates>["merges"][number];

const reasonTexts: Readonly<Record<Duplicate["reasons"][number], string>> = {
  "same-mailbox": t("duplicates.reasons.same-mailbox"),
  "same-name": t("duplicates.reasons.same-name"),
};

interface MergedProps {
  userId: string;
  merge: Merge;
  onUndo: () => void;
}

/** Says on the page of either user that they were merged, and until when that can be undone. */
const Merged = ({ userId, merge, onUndo }: MergedProps) => {
  const { may } = useAccess();
  const { mergedEmail, undoableUntil } = merge;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t py-1.5 first:border-t-0">
      <p className="min-w-0 break-words">
        {merge.userId === userId
          ? richText("duplicates.mergedHere", {
              email: <bdi className="font-medium">{showEmail(mergedEmail)}</bdi>,
            })
          : richText("duplicates.mergedAway", {
              user: (
                <Link
                  to="/users/$userId"
                  params={{ userId: merge.userId }}
                  className="rounded-sm font-medium underline"
                >
                  {t("duplicates.anotherUser")}
                </Link>
              ),
            })}{" "}
        <span className="text-muted">
          {richText("duplicates.undoUntil", {
            time: <RelativeTime at={undoableUntil} mayBeAhead />,
          })}
        </span>
      </p>
      {may("user:merge") && (
        <Button size="small" onClick={onUndo}>
          {t("merge.undo.button")}
        </Button>
      )}
    </li>
  );
};

const Merges = ({ userId, merges }: { userId: string; merges: readonly Merge[] }) => {
  const [undone, setUndone] = useState<Merge>();
  return (
    <section aria-labelledby="merges" className="ui-card">
      <h2 id="merges" className="mb-1 text-lg font-semibold">
        {t("duplicates.merged")}
      </h2>
      <ul aria-label={t("duplicates.merged")}>
        {merges.map((merge) => (
          <Merged key={merge.id} userId={userId} merge={merge} onUndo={() => setUndone(merge)} />
        ))}
      </ul>
      {undone && (
        <Confirm
          operation={adminUndoMerge}
          input={{ body: { id: undone.id } }}
          title={t("merge.undo.title")}
          action={t("merge.undo.action")}
          done={t("merge.undo.done")}
          onClose={() => setUndone(undefined)}
        >
          {richText("merge.undo.text", { email: <bdi>{showEmail(undone.mergedEmail)}</bdi> })}
        </Confirm>
      )}
    </section>
  );
};

/** Names the users who may be the same person, and offers to compare each. */
const Similar = ({ duplicates }: { duplicates: readonly Duplicate[] }) => (
  <section aria-labelledby="duplicates" className="ui-card">
    <h2 id="duplicates" className="mb-1 flex items-center gap-2 text-lg font-semibold">
      <Users aria-hidden className="size-4 shrink-0" />
      {t("duplicates.title")}
    </h2>
    <ul aria-label={t("duplicates.list")}>
      {duplicates.map(({ user, reasons }) => (
        <li
          key={user.id}
          className="flex flex-wrap items-center justify-between gap-x-4 border-t py-1.5 first:border-t-0"
        >
          <p className="min-w-0 break-words">
            {richText("duplicates.similar", {
              email: (
                <Link
                  to="/users/$userId"
                  params={{ userId: user.id }}
                  className="rounded-sm font-medium hover:underline"
                >
                  <bdi>{showEmail(user.email)}</bdi>
                </Link>
              ),
              reasons: listText(reasons.map((reason) => reasonTexts[reason])),
            })}
          </p>
          <route.Link
            to="."
            search={(was) => ({ ...was, compare: user.id })}
            aria-label={t("duplicates.compareWith", { email: showEmail(user.email) })}
            className={buttonStyle("secondary", "small")}
          >
            {t("duplicates.compare")}
          </route.Link>
        </li>
      ))}
    </ul>
  </section>
);

/** Shows the merges of a user, and who may be the same person. Renders nothing if there are none, or until they are known. */
export const Duplicates = ({ userId }: { userId: string }) => {
  const { data } = useQuery(operationQuery(adminListDuplicates, { params: { id: userId } }));
  if (!data) return null;
  const { duplicates, merges } = data;
  return (
    <>
      {merges.length > 0 && <Merges userId={userId} merges={merges} />}
      {duplicates.length > 0 && <Similar duplicates={duplicates} />}
    </>
  );
};
