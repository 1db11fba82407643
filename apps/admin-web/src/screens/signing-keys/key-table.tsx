import { Badge, type BadgeTone } from "@latchkey/ui/components/badge.tsx";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { Table, TableRow } from "@latchkey/ui/components/table.tsx";
import type { SigningKey } from "./use-signing-keys.ts";

const columns = ["Key", "Algorithm", "State", "Created", "Signs from", "Published until"];

/** Fixed widths that fit the content, so that nothing moves when it loads. */
const widths = ["w-64", "w-28", "w-52"];

const states: Record<SigningKey["state"], { label: string; tone: BadgeTone }> = {
  next: { label: "Next", tone: "accent" },
  signing: { label: "Signing", tone: "success" },
  published: { label: "Published", tone: "neutral" },
};

const KeyState = ({ state, opens }: SigningKey) => {
  const { label, tone } = states[state];
  return (
    <span className="flex gap-1">
      <Badge tone={tone}>{label}</Badge>
      {!opens && <Badge tone="warning">Cannot be decrypted</Badge>}
    </span>
  );
};

const waitingCells = Object.fromEntries(
  columns.map((column) => [column, <Skeleton key={column} />]),
);

/** Lists all published keys. `keys` is undefined while they are loading. */
export const KeyTable = ({ keys }: { keys: readonly SigningKey[] | undefined }) => (
  <Table label="signing keys" columns={columns} widths={widths}>
    {keys ? (
      keys.map((key) => (
        <TableRow
          key={key.id}
          cells={{
            Key: <CopyId id={key.id} of="this key" />,
            Algorithm: key.alg,
            State: <KeyState {...key} />,
            Made: <RelativeTime at={key.createdAt} isStacked />,
            "Signs from": <RelativeTime at={key.signsAt} mayBeAhead isStacked />,
            "Published until": <RelativeTime at={key.publishedUntil} mayBeAhead isStacked />,
          }}
        />
      ))
    ) : (
      <TableRow cells={waitingCells} />
    )}
  </Table>
);
