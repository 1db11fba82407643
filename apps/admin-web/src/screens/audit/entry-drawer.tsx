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
import { t } from "../../texts.ts";

const unsealed = <span className="text-muted">{t("audit.seal.counted")}</span>;

const Seal = ({ seal, service }: Pick<AuditEntry, "seal" | "service">) => {
  if (service === "refused-sign-ins") return unsealed;
  return seal === null ? (
    <span className="text-muted">{t("audit.seal.open")}</span>
  ) : (
    <span className="flex flex-wrap items-center gap-x-2">
      {t("audit.seal.position", { position: seal.position })}
      <CopyId id={seal.hash} label={t("audit.seal.copy")} />
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
    [t("audit.action")]: entry.action,
    [t("audit.actor")]:
      actor.id === null ? (
        <AuditParty {...actor} />
      ) : (
        <Filtering filter={{ actor: actor.id }} label={t("audit.same.actor")} onFilter={onFilter}>
          <AuditParty {...actor} showsId />
        </Filtering>
      ),
    [t("audit.subject")]: (
      <Filtering
        filter={{ subject: subject.id }}
        label={t("audit.same.subject")}
        onFilter={onFilter}
      >
        <AuditParty {...subject} showsId />
      </Filtering>
    ),
    [t("audit.outcome")]: <OutcomeBadge outcome={entry.outcome} />,
    [t("common.time")]: <RelativeTime at={entry.occurredAt} />,
    [t("common.address")]: address ? (
      <Filtering filter={{ address }} label={t("audit.same.address")} onFilter={onFilter}>
        <CopyId id={address} label={t("audit.copyAddress")} />
        <UnblockAddress ipAddress={address} />
      </Filtering>
    ) : (
      "–"
    ),
    [t("audit.requestId")]: requestId ? (
      <Filtering
        filter={{ request: requestId }}
        label={t("audit.same.request")}
        onFilter={onFilter}
      >
        <CopyId id={requestId} of={t("audit.theRequest")} />
      </Filtering>
    ) : (
      "–"
    ),
    [t("common.service")]: sourceLabel(entry.service),
    [t("audit.entryId")]: <CopyId id={entry.id} of={t("audit.thisEntry")} />,
    [t("audit.seal.title")]: <Seal {...entry} />,
  };
};

const Entry = (props: EntryProps) => (
  <div className="flex flex-col gap-6">
    <Facts facts={factsOf(props)} />
    <section aria-label={t("audit.changes")}>
      <h3 className="mb-2 font-semibold">{t("audit.whatChanged")}</h3>
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
  <Drawer title={entry?.action ?? t("audit.entry")} isOpen={isOpen} onOpenChange={onOpenChange}>
    {entry ? (
      <Entry entry={entry} onFilter={onFilter} />
    ) : (
      isOpen && <p className="text-muted">{t("audit.elsewhere")}</p>
    )}
  </Drawer>
);
