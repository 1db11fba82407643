import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { offersPasskeys } from "@latchkey/ui/passkeys/offers-passkeys.ts";
import { KeyRound, Mail } from "lucide-react";
import { useTranslation } from "react-i18next";
import { LastUsed } from "../../components/last-used.tsx";
import { lastMethod, type Method } from "../../session/last-method.ts";
import type { Ways } from "./use-ways.ts";

export const takesLinks = isOffered(operations.identity.signInMagicLink);
export const takesCodes = isOffered(operations.identity.signInEmailOtp);

/** Marks the way that was used last. */
export const Mark = ({ method }: { method: Method }) => lastMethod() === method && <LastUsed />;

interface OtherWaysProps {
  ways: Ways;
  /** Calls a function with the entered email, or asks for one. */
  withEmail: (send: (email: string) => void) => void;
}

/** The buttons of the ways that need no password. */
export const OtherWays = ({ ways, withEmail }: OtherWaysProps) => {
  const { t } = useTranslation("signIn");
  const { link, code, passkey } = ways;
  return (
    <div className="flex flex-col gap-2 empty:hidden">
      {takesLinks && (
        <Button className="h-10" isBusy={link.isPending} onClick={() => withEmail(link.mutate)}>
          <Mail />
          {t("mailLink")}
          <Mark method="magicLink" />
        </Button>
      )}
      {takesCodes && (
        <Button className="h-10" isBusy={code.isPending} onClick={() => withEmail(code.mutate)}>
          <Mail />
          {t("mailCode")}
          <Mark method="emailCode" />
        </Button>
      )}
      {offersPasskeys && (
        <Button
          className="h-10"
          isBusy={passkey.isPending}
          onClick={() => {
            ways.reset();
            passkey.mutate(undefined);
          }}
        >
          <KeyRound />
          {t("passkey")}
          <Mark method="passkey" />
        </Button>
      )}
    </div>
  );
};
