import { RotateCw } from "lucide-react";
import { useState } from "react";
import { useAccess } from "../../access/use-access.ts";
import { operations } from "../../api/contracts.ts";
import { useOperation } from "../../api/use-operation.ts";
import { Button } from "../../components/ui/button.tsx";
import { CopyId } from "../../components/ui/copy-id.tsx";
import { Drawer } from "../../components/ui/drawer.tsx";
import { Facts } from "../../components/ui/facts.tsx";
import { RelativeTime } from "../../components/ui/relative-time.tsx";
import { DeliveryState } from "../../components/mails/delivery-state.tsx";
import { MailContent } from "./mail-content.tsx";
import type { Delivery } from "./use-deliveries.ts";

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
      Attempts: delivery.attempts,
      ...(delivery.lastError !== null && {
        Error: <bdi className="text-danger">{delivery.lastError}</bdi>,
      }),
      Requested: <RelativeTime at={delivery.createdAt} />,
      Completed: <RelativeTime at={delivery.settledAt} />,
      Event: delivery.event ?? "–",
      ID: <CopyId id={delivery.id} of="this mail" />,
    }}
  />
);

interface DeliveryBodyProps {
  id: string;
  /** The mail on the current page of the list, or undefined if it is on another one. */
  listed: Delivery | undefined;
}

const DeliveryBody = ({ id, listed }: DeliveryBodyProps) => {
  const [read, setRead] = useState<Delivery>();
  const delivery = listed ?? read;
  return (
    <div className="flex flex-col gap-5">
      {delivery ? (
        <DeliveryFacts delivery={delivery} />
      ) : (
        <p className="text-muted">This mail is not on this page.</p>
      )}
      {delivery?.state === "failed" && <Retry id={id} />}
      <MailContent id={id} onRead={setRead} />
    </div>
  );
};

interface DeliveryDrawerProps extends Omit<DeliveryBodyProps, "id"> {
  /** Undefined while no mail is open. */
  id: string | undefined;
  onClose: () => void;
}

/** Shows a mail's delivery state and content, and lets the admin retry it. */
export const DeliveryDrawer = ({ id, listed, onClose }: DeliveryDrawerProps) => (
  <Drawer title="Mail" isOpen={id !== undefined} onOpenChange={(isOpen) => !isOpen && onClose()}>
    {id !== undefined && <DeliveryBody key={id} id={id} listed={listed} />}
  </Drawer>
);
