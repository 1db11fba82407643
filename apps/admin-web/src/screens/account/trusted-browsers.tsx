import { useQuery } from "@tanstack/react-query";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { useOperation } from "../../api/use-operation.ts";
import { ErrorState } from "../../components/errors/error-state.tsx";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Card } from "@latchkey/ui/components/card.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { Table, TableRow } from "@latchkey/ui/components/table.tsx";

const { listTrustedDevices, revokeTrustedDevice, revokeTrustedDevices } = operations.identity;

const List = () => {
  const { data, error, refetch } = useQuery(operationQuery(listTrustedDevices, {}));
  const revoke = useOperation(revokeTrustedDevice, { done: "Browser no longer trusted." });
  if (!data)
    return error ? (
      <ErrorState error={error} onRetry={() => void refetch()} />
    ) : (
      <Skeleton className="h-20" />
    );
  if (data.length === 0) return <p className="text-muted">No trusted browsers</p>;
  return (
    <Table
      label="Trusted browsers"
      columns={["Browser", "IP address", "Last used", "Expires", "Action"]}
    >
      {data.map(({ id, userAgent, ipAddress, lastUsedAt, expiresAt, current }) => (
        <TableRow
          key={id}
          cells={{
            browser: (
              <span className="break-words">
                <bdi>{userAgent || "unknown"}</bdi> {current && <Badge>this browser</Badge>}
              </span>
            ),
            address: ipAddress || "–",
            used: <RelativeTime at={lastUsedAt} isStacked />,
            ends: <RelativeTime at={expiresAt} mayBeAhead isStacked />,
            action: (
              <Button
                size="small"
                isBusy={revoke.isPending}
                onClick={() => revoke.mutate({ body: { id } })}
              >
                Stop trusting
              </Button>
            ),
          }}
        />
      ))}
    </Table>
  );
};

/** The browsers in which the admin needs no second factor. */
export const TrustedBrowsers = () => {
  const revokeAll = useOperation(revokeTrustedDevices, {
    done: "No browser is trusted any longer.",
  });
  return (
    <Card
      title="Trusted browsers"
      actions={
        <Button isBusy={revokeAll.isPending} onClick={() => revokeAll.mutate({})}>
          Stop trusting all
        </Button>
      }
    >
      <List />
    </Card>
  );
};
