import { Table, TableRow } from "@latchkey/ui/components/table.tsx";
import { differenceOf } from "./difference-of.ts";
import type { AuditEntry } from "./read-audit.ts";
import { t } from "../../texts.ts";

const columns = [t("common.field"), t("audit.before"), t("audit.after")];

interface StateProps {
  text: string | undefined;
  /** The mark of a changed member. */
  mark: string | undefined;
}

const State = ({ text, mark }: StateProps) =>
  text === undefined ? (
    <span className="text-muted">{t("audit.notSet")}</span>
  ) : (
    <code
      className={`block max-h-40 min-w-40 overflow-y-auto rounded-sm px-1 font-mono text-xs break-all whitespace-pre-wrap ${mark ?? ""}`}
      tabIndex={text.length > 300 ? 0 : undefined}
    >
      <bdi>{text}</bdi>
    </code>
  );

/** Shows the changes of an entry, member by member. */
export const EntryDifference = ({ entry }: { entry: AuditEntry }) => {
  const differences = differenceOf(entry.before, entry.after);
  if (differences.length === 0) return <p className="text-muted">{t("audit.noChange")}</p>;
  return (
    <Table label={t("audit.whatChanged")} columns={columns}>
      {differences.map(({ member, before, after, isChanged }) => (
        <TableRow
          key={member}
          cells={{
            Member: <bdi className="break-all">{member}</bdi>,
            Before: <State text={before} mark={isChanged ? "bg-warning-soft" : undefined} />,
            After: <State text={after} mark={isChanged ? "bg-success-soft" : undefined} />,
          }}
        />
      ))}
    </Table>
  );
};
