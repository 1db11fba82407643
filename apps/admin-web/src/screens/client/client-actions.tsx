import { zodResolver } from "@hookform/resolvers/zod";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { DialogForm } from "@latchkey/ui/form/form.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { useAccess } from "../../access/use-access.ts";
import { type Client, clientName, hasSecret } from "../../components/clients/client.ts";
import { ClientFields } from "../../components/clients/client-fields.tsx";
import {
  changeOfClient,
  clientRules,
  fieldOfMember,
  formOfClient,
} from "../../components/clients/client-form.ts";
import { Confirm } from "../../components/confirm.tsx";
import { RotateSecret } from "../../components/rotate-secret.tsx";
import { t } from "../../texts.ts";

const { deleteOauthClient, rotateOauthClientSecret, updateOauthClient } = operations.oauth;

interface ActionProps {
  client: Client;
  onClose: () => void;
}

const EditForm = ({ client, onClose }: ActionProps) => {
  // The values when editing began, so that the form sends only what the admin changes.
  const [before] = useState(() => formOfClient(client));
  const change = useOperation(updateOauthClient, {
    showsError: true,
    done: t("clients.edit.done"),
    onDone: onClose,
  });
  const form = useForm({
    resolver: zodResolver(clientRules),
    defaultValues: before,
    change,
    fieldOf: fieldOfMember,
    onSubmit: (given) => {
      const update = changeOfClient(given, before);
      if (Object.keys(update).length === 0) return onClose();
      return change.mutate({ body: { client_id: client.client_id, update } });
    },
  });
  return (
    <DialogForm form={form} action={t("common.save")} onClose={onClose}>
      <ClientFields form={form} />
    </DialogForm>
  );
};

const EditClient = (props: ActionProps) => (
  <Dialog
    title={t("clients.edit.title")}
    isOpen
    onOpenChange={(isOpen) => !isOpen && props.onClose()}
    className="max-w-2xl"
  >
    <EditForm {...props} />
  </Dialog>
);

const overlapSecondsMax = 2_592_000;

const RotateClientSecret = ({ client: { client_id }, onClose }: ActionProps) => {
  const [secret, setSecret] = useState<string>();
  const rotate = useOperation(rotateOauthClientSecret, {
    showsError: true,
    onDone: (reply) => setSecret(reply.client_secret),
  });
  return (
    <RotateSecret
      label={t("clients.secret")}
      secondsMax={overlapSecondsMax}
      change={rotate}
      onSubmit={(overlapSeconds) => rotate.mutate({ body: { client_id, overlapSeconds } })}
      secret={secret}
      onClose={onClose}
    >
      {t("clients.rotateText")}
    </RotateSecret>
  );
};

const DisableClient = ({ client, onClose }: ActionProps) => (
  <Confirm
    operation={updateOauthClient}
    input={{ body: { client_id: client.client_id, update: { disabled: true } } }}
    title={t("clients.disable.title", { name: clientName(client) })}
    action={t("apiKeys.disable")}
    done={t("clients.disable.done")}
    onClose={onClose}
  >
    {t("clients.disable.text")}
  </Confirm>
);

const DeleteClient = ({ client, onClose }: ActionProps) => {
  const navigate = useNavigate();
  const name = clientName(client);
  return (
    <Confirm
      operation={deleteOauthClient}
      input={{ body: { client_id: client.client_id } }}
      title={t("common.deleteQuestion", { name })}
      action={t("clients.delete.action")}
      done={t("common.deletedOne", { name })}
      typed={name}
      onClose={onClose}
      onDone={() => navigate({ to: "/clients", replace: true })}
    >
      {t("clients.delete.text")}
    </Confirm>
  );
};

const Enable = ({ client: { client_id } }: { client: Client }) => {
  const enable = useOperation(updateOauthClient, { done: t("clients.enabled") });
  return (
    <Button
      isBusy={enable.isPending}
      onClick={() => enable.mutate({ body: { client_id, update: { disabled: false } } })}
    >
      {t("apiKeys.enable")}
    </Button>
  );
};

const dialogs = {
  edit: EditClient,
  rotate: RotateClientSecret,
  disable: DisableClient,
  delete: DeleteClient,
} as const;

/** Shows the actions that this admin may take on a client. */
export const ClientActions = ({ client }: { client: Client }) => {
  const { may } = useAccess();
  const [opened, setOpened] = useState<keyof typeof dialogs>();
  const Opened = opened && dialogs[opened];
  return (
    <>
      {may("oauthClient:update") && (
        <>
          <Button onClick={() => setOpened("edit")}>{t("common.edit")}</Button>
          {hasSecret(client) && (
            <Button onClick={() => setOpened("rotate")}>{t("webhook.rotate.action")}</Button>
          )}
          {client.disabled ? (
            <Enable client={client} />
          ) : (
            <Button onClick={() => setOpened("disable")}>{t("apiKeys.disable")}</Button>
          )}
        </>
      )}
      {may("oauthClient:delete") && (
        <Button kind="danger" onClick={() => setOpened("delete")}>
          {t("common.delete")}
        </Button>
      )}
      {Opened && <Opened client={client} onClose={() => setOpened(undefined)} />}
    </>
  );
};
