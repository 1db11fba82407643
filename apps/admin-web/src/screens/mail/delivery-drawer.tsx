import { RotateCw } from "lucide-react";
import { useAccess } from "../../access/use-access.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useOperation } from "../../api/use-operation.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { Drawer } from "@latchkey/ui/components/drawer.tsx";
import { Facts } from "@latchkey/ui/components/facts.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { DeliveryState } from "../../components/mails/delivery-state.tsx";
import { ErrorState } from "../../components/errors/error-state.tsx";
import { StaleNotice } from "../../components/errors/stale-notice.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { Attempts } from "./attempts.tsx";
import { MailContent } from "./mail-content.tsx";
import type { Delivery } from "../../components/mails/exported-deliveries.ts";
import { useDelivery } from "./use-deliveries.ts";

const { adminRetryDelivery } = operations.mailer;

const Retry = ({ id }: { id: string }) => {
  const { may } = useAccess();
  const retry = useOperation(adminRetryDelivery, { done: "Retrying." });
  if (!may("delivery:retry")) return null;
  return (
    <Button
      className="self-start"
      isBusy={retry.isPending}
      onClick={() => retry.mutate({ params: { id } })}
    >
      <RotateCw />
      Retry
    </Button>
  );
};

const DeliveryFacts = ({ delivery }: { delivery: Delivery }) => (
  <Facts
    facts={{
      To: <bdi>{delivery.recipient}</bdi>,
      Subject: (
        <bdi title={delivery.subject} className="line-clamp-6">
          {delivery.subject}
        </bdi>
      ),
      State: <DeliveryState state={delivery.state} />,
      Requested: <RelativeTime at={delivery.createdAt} />,
      Completed: <RelativeTime at={delivery.settledAt} />,
      Event: delivery.event ?? "–",
      ID: <CopyId id={delivery.id} of="this email" />,
    }}
  />
);

interface DeliveryBodyProps {
  id: string;
  /** The mail on the current page of the list, which is shown until its attempts are loaded. */
  listed: Delivery | undefined;
}

const DeliveryBody = ({ id, listed }: DeliveryBodyProps) => {
  const reading = useDelivery(id);
  const { data, error, refetch } = reading;
  const delivery = data?.delivery ?? listed;
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!delivery) return <Skeleton className="h-64 w-full" />;
  return (
    <div className="flex flex-col gap-5">
      <StaleNotice reading={reading} />
      <DeliveryFacts delivery={delivery} />
      {delivery.state === "failed" && <Retry id={id} />}
      {data ? <Attempts {...data} /> : <Skeleton className="h-16 w-full" />}
      <MailContent id={id} />
    </div>
  );
};

interface DeliveryDrawerProps extends Omit<DeliveryBodyProps, "id"> {
  /** Undefined while no mail is open. */
  id: string | undefined;
  onClose: () => void;
}

/** Shows a mail's delivery state, attempts and content, and lets the admin retry it. */
export const DeliveryDrawer = ({ id, listed, onClose }: DeliveryDrawerProps) => (
  <Drawer title="Email" isOpen={id !== undefined} onOpenChange={(isOpen) => !isOpen && onClose()}>
    {id !== undefined && <DeliveryBody key={id} id={id} listed={listed} />}
  </Drawer>
);
