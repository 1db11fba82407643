import type { ReactNode } from "react";
import { Button } from "@latchkey/ui/components/button.tsx";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { Drawer } from "@latchkey/ui/components/drawer.tsx";
import { Facts } from "@latchkey/ui/components/facts.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { OutcomeBadge } from "./audit-columns.tsx";
import type { AuditSearch } from "./audit-search.ts";
import { AuditParty } from "../../components/audit/audit-party.tsx";
import { sourceLabel } from "../../components/audit/audit-sources.ts";
import { UnblockAddress } from "../../components/rate-limits/unblock-address.tsx";
import { EntryDifference } from "../../components/audit/entry-difference.tsx";
import type { AuditEntry } from "../../components/audit/read-audit.ts";

const unsealed = (
  <span className="text-muted">
    Counted, not sealed. The count may still grow, and is deleted after its retention.
  </span>
);

const Seal = ({ seal, service }: Pick<AuditEntry, "seal" | "service">) => {
  if (service === "refused-sign-ins") return unsealed;
  return seal === null ? (
    <span className="text-muted">Not sealed yet. Entries are sealed within seconds.</span>
  ) : (
    <span className="flex flex-wrap items-center gap-x-2">
      {`Chain position ${seal.position}, hash`}
      <CopyId id={seal.hash} label="Copy hash" />
    </span>
  );
};

type OneFilter = Pick<AuditSearch, "actor" | "subject" | "address" | "request">;

interface EntryProps {
  entry: AuditEntry;
  /** Shows the entries that have this in common. */
  onFilter: (filter: OneFilter) => void;
}

interface FilteringProps extends Pick<EntryProps, "onFilter"> {
  filter: OneFilter;
  label: string;
  children: ReactNode;
}

/** Shows a value with a button that filters the log by it. */
const Filtering = ({ filter, label, onFilter, children }: FilteringProps) => (
  <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
    {children}
    <Button size="small" onClick={() => onFilter(filter)}>
      {label}
    </Button>
  </span>
);

const factsOf = ({ entry, onFilter }: EntryProps) => {
  const { actor, subject, address, requestId } = entry;
  return {
    Action: entry.action,
    Actor:
      actor.id === null ? (
        <AuditParty {...actor} />
      ) : (
        <Filtering filter={{ actor: actor.id }} label="Same actor" onFilter={onFilter}>
          <AuditParty {...actor} showsId />
        </Filtering>
      ),
    Subject: (
      <Filtering filter={{ subject: subject.id }} label="Same subject" onFilter={onFilter}>
        <AuditParty {...subject} showsId />
      </Filtering>
    ),
    Outcome: <OutcomeBadge outcome={entry.outcome} />,
    Time: <RelativeTime at={entry.occurredAt} />,
    "IP address": address ? (
      <Filtering filter={{ address }} label="Same IP address" onFilter={onFilter}>
        <CopyId id={address} label="Copy the IP address" />
        <UnblockAddress ipAddress={address} />
      </Filtering>
    ) : (
      "–"
    ),
    "Request ID": requestId ? (
      <Filtering filter={{ request: requestId }} label="Same request" onFilter={onFilter}>
        <CopyId id={requestId} of="the request" />
      </Filtering>
    ) : (
      "–"
    ),
    Service: sourceLabel(entry.service),
    "Entry ID": <CopyId id={entry.id} of="this entry" />,
    Seal: <Seal {...entry} />,
  };
};

const Entry = (props: EntryProps) => (
  <div className="flex flex-col gap-6">
    <Facts facts={factsOf(props)} />
    <section aria-label="Changes">
      <h3 className="mb-2 font-semibold">What changed</h3>
      <EntryDifference entry={props.entry} />
    </section>
  </div>
);

interface EntryDrawerProps extends Omit<EntryProps, "entry"> {
  isOpen: boolean;
  /** The entry on the current page, or undefined if it is on another one. */
  entry: AuditEntry | undefined;
  onOpenChange: (isOpen: boolean) => void;
}

/** Shows all details of one entry, with its changes. */
export const EntryDrawer = ({ isOpen, entry, onOpenChange, onFilter }: EntryDrawerProps) => (
  <Drawer title={entry?.action ?? "Entry"} isOpen={isOpen} onOpenChange={onOpenChange}>
    {entry ? (
      <Entry entry={entry} onFilter={onFilter} />
    ) : (
      isOpen && (
        <p className="text-muted">
          This entry is not on this page. Filter the log by time or action to find it.
        </p>
      )
    )}
  </Drawer>
);
