import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { offersPasskeys } from "@latchkey/ui/passkeys/offers-passkeys.ts";
import { useQuery } from "@tanstack/react-query";
import { Fingerprint } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Moment } from "../../components/account/moment.tsx";
import { Panel } from "../../components/account/panel.tsx";
import { Reading } from "../../components/account/reading.tsx";
import { Row, Rows } from "../../components/account/rows.tsx";
import { AddPasskey, DeletePasskey, type Passkey, RenamePasskey } from "./passkey-dialogs.tsx";

interface OpenDialog {
  Dialog: typeof RenamePasskey;
  passkey: Passkey;
}

interface PasskeyRowProps {
  passkey: Passkey;
  onOpen: (open: OpenDialog) => void;
}

const PasskeyRow = ({ passkey, onOpen }: PasskeyRowProps) => {
  const { t } = useTranslation("security");
  const name = passkey.name || t("passkeys.unnamed");
  return (
    <Row
      mark={<Fingerprint className="size-5 shrink-0 text-muted" />}
      title={<bdi>{name}</bdi>}
      details={
        <>
          <p>
            {t("passkeys.added")} <Moment at={passkey.createdAt} isDay />
          </p>
          {passkey.lastUsedAt && (
            <p>
              {t("passkeys.lastUsed")} <Moment at={passkey.lastUsedAt} />
            </p>
          )}
        </>
      }
      actions={
        <>
          <Button
            aria-label={t("passkeys.renameOne", { name })}
            onClick={() => onOpen({ Dialog: RenamePasskey, passkey })}
          >
            {t("passkeys.rename")}
          </Button>
          <Button
            aria-label={t("passkeys.deleteOne", { name })}
            onClick={() => onOpen({ Dialog: DeletePasskey, passkey })}
          >
            {t("passkeys.delete")}
          </Button>
        </>
      }
    />
  );
};

/** The passkeys of the user. */
export const Passkeys = () => {
  const { t } = useTranslation("security");
  const passkeys = useQuery(operationQuery(operations.identity.listUserPasskeys, {}));
  const [isAdding, setIsAdding] = useState(false);
  const [open, setOpen] = useState<OpenDialog>();
  return (
    <Panel
      title={t("passkeys.title")}
      text={t("passkeys.text")}
      actions={
        offersPasskeys && <Button onClick={() => setIsAdding(true)}>{t("passkeys.addOne")}</Button>
      }
    >
      <Reading of={passkeys}>
        {(list) =>
          list.length > 0 && (
            <Rows label={t("passkeys.title")}>
              {list.map((passkey) => (
                <PasskeyRow key={passkey.id} passkey={passkey} onOpen={setOpen} />
              ))}
            </Rows>
          )
        }
      </Reading>
      {!offersPasskeys && <p className="text-muted">{t("passkeys.unusable")}</p>}
      {isAdding && <AddPasskey onClose={() => setIsAdding(false)} />}
      {open && <open.Dialog passkey={open.passkey} onClose={() => setOpen(undefined)} />}
    </Panel>
  );
};
