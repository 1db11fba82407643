import { CopyId } from "../../components/ui/copy-id.tsx";
import { Drawer } from "../../components/ui/drawer.tsx";
import { Facts } from "../../components/ui/facts.tsx";
import { RelativeTime } from "../../components/ui/relative-time.tsx";
import { OutcomeBadge } from "./audit-columns.tsx";
import type { AuditSearch } from "./audit-search.ts";
import { EntryDifference } from "../../components/audit/entry-difference.tsx";
import { EntryParty } from "./entry-party.tsx";
import type { AuditEntry } from "../../components/audit/read-audit.ts";

const Seal = ({ seal }: Pick<AuditEntry, "seal">) =>
  seal === null ? (
    <span className="text-muted">Not sealed yet: it will be within a second or two.</span>
  ) : (
    <span className="flex flex-wrap items-center gap-x-2">
      {`Number ${seal.position} of the chain, hash`}
      <CopyId id={seal.hash} of="its hash" />
    </span>
  );

interface EntryProps {
  entry: AuditEntry;
  onFilter: (patch: Pick<AuditSearch, "actor" | "subject">) => void;
}

const Entry = ({ entry, onFilter }: EntryProps) => (
  <div className="flex flex-col gap-6">
    <Facts
      facts={{
        Action: entry.action,
        By: (
          <EntryParty
            {...entry.actor}
            onlyText="All that they did"
            onOnly={(actor) => onFilter({ actor, subject: undefined })}
          />
        ),
        To: (
          <EntryParty
            {...entry.subject}
            onlyText="All that was done to it"
            onOnly={(subject) => onFilter({ subject, actor: undefined })}
          />
        ),
        Outcome: <OutcomeBadge outcome={entry.outcome} />,
        When: <RelativeTime at={entry.occurredAt} />,
        From: entry.address || "–",
        Request: entry.requestId ? <CopyId id={entry.requestId} of="the request" /> : "–",
        Service: entry.service,
        Entry: <CopyId id={entry.id} of="this entry" />,
        Seal: <Seal seal={entry.seal} />,
      }}
    />
    <section aria-label="Changes">
      <h3 className="mb-2 font-semibold">What changed</h3>
      <EntryDifference entry={entry} />
    </section>
  </div>
);

interface EntryDrawerProps extends Omit<EntryProps, "entry"> {
  isOpen: boolean;
  /** The entry on the current page, or undefined if it is on another one. */
  entry: AuditEntry | undefined;
  onClose: () => void;
}

/** Shows all details of one entry, with its changes. */
export const EntryDrawer = ({ isOpen, entry, onClose, onFilter }: EntryDrawerProps) => (
  <Drawer
    title={entry?.action ?? "Entry"}
    isOpen={isOpen}
    onOpenChange={(isOpen) => !isOpen && onClose()}
  >
    {entry ? (
      <Entry entry={entry} onFilter={onFilter} />
    ) : (
      isOpen && (
        <p className="text-muted">
          This entry is not on this page of the log. Narrow the log down by days or by an action to
          find it.
        </p>
      )
    )}
  </Drawer>
);
