import { zodResolver } from "@hookform/resolvers/zod";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { DialogForm } from "@latchkey/ui/form/form.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { Facts } from "@latchkey/ui/components/facts.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { Select } from "@latchkey/ui/components/select.tsx";
import { useKeptSecret } from "@latchkey/ui/secrets/use-kept-secret.ts";
import { type ClientKind, clientKinds } from "../../components/clients/client.ts";
import { ClientFields, defaultScopes } from "../../components/clients/client-fields.tsx";
import {
  clientBody,
  type ClientForm,
  clientRules,
  fieldOfMember,
} from "../../components/clients/client-form.ts";
import { discardDraft, useDraft } from "../../components/kept/use-draft.ts";
import { NewSecret } from "../../components/new-secret.tsx";
import { t } from "../../texts.ts";

const { createOauthClient } = operations.oauth;

type Created = CallReply<typeof createOauthClient>;

const draft = "create-client";

const emptyForm: ClientForm = {
  kind: "web",
  name: "",
  redirectUris: "",
  scopes: [...defaultScopes],
  machineScopes: "",
  isTrusted: false,
};

const kindChoices = Object.entries(clientKinds).map(([value, { label }]) => ({
  value: value as ClientKind, // a key of the same object
  label,
}));

interface CreateFormProps {
  create: ReturnType<typeof useOperation<typeof createOauthClient>>;
  onClose: () => void;
}

const CreateForm = ({ create, onClose }: CreateFormProps) => {
  const form = useForm({
    resolver: zodResolver(clientRules),
    defaultValues: emptyForm,
    change: create,
    fieldOf: fieldOfMember,
    onSubmit: (given) => create.mutate({ body: clientBody(given) }),
  });
  useDraft({ form, name: draft, defaults: emptyForm });
  const kind = form.choice("kind");
  return (
    <DialogForm form={form} action={t("clients.create.action")} onClose={onClose}>
      <Field label={t("clients.kind")} description={clientKinds[kind.value].hint}>
        <Select choices={kindChoices} {...kind} />
      </Field>
      <ClientFields form={form} />
    </DialogForm>
  );
};

interface CreatedClientProps {
  client: Created;
  isWarned: boolean;
  onCopied: () => void;
  onClose: () => void;
}

/** Shows what the application needs: the id, and the secret if it has one. */
const CreatedClient = ({ client, isWarned, onCopied, onClose }: CreatedClientProps) => {
  const { client_id: clientId, client_secret: secret } = client;
  const link = (
    <Link
      to="/clients/$clientId"
      params={{ clientId }}
      // Replaces the history entry, so that the back button returns to the list and not to the dialog.
      replace
      className={buttonStyle()}
    >
      {t("clients.create.view")}
    </Link>
  );
  return (
    <div className="flex flex-col gap-4">
      <Facts
        facts={{ [t("clients.clientId")]: <CopyId id={clientId} of={t("clients.clientId")} /> }}
      />
      {secret === undefined ? (
        <>
          <p>{t("clients.noSecret")}</p>
          <div className="flex flex-wrap justify-end gap-2">
            {link}
            <Button kind="primary" onClick={onClose}>
              {t("secret.done")}
            </Button>
          </div>
        </>
      ) : (
        <NewSecret
          label={t("clients.secret")}
          kind="secret"
          {...{ secret, isWarned, onCopied, onClose, link }}
        />
      )}
    </div>
  );
};

interface CreateClientProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** Creates a client, shows its secret once, and protects it from being lost by accident. */
export const CreateClient = ({ isOpen, onOpenChange }: CreateClientProps) => {
  const [created, setCreated] = useState<Created>();
  const close = () => onOpenChange(false);
  const giveUp = () => {
    discardDraft(draft);
    close();
  };
  const create = useOperation(createOauthClient, {
    showsError: true,
    onDone: (client) => {
      discardDraft(draft);
      setCreated(client);
    },
  });
  // A client without a secret has nothing to lose.
  const secret = created?.client_secret === undefined ? undefined : created;
  const { isWarned, onCopied } = useKeptSecret(secret, create.isPending);
  return (
    <Dialog
      title={t(created ? "clients.create.done" : "clients.create.action")}
      isOpen={isOpen}
      onOpenChange={(open) => !open && giveUp()}
      className={created ? "max-w-xl" : "max-w-2xl"}
    >
      {created ? (
        <CreatedClient client={created} {...{ isWarned, onCopied }} onClose={close} />
      ) : (
        <CreateForm create={create} onClose={giveUp} />
      )}
    </Dialog>
  );
};
