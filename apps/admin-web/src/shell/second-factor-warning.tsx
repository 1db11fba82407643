import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import type { Access } from "../access/access.ts";
import { accountAddress } from "../access/account-web.ts";
import { t } from "../texts.ts";

/** Warns an admin whose password alone opens their account. */
export const SecondFactorWarning = ({ access: { user } }: { access: Access }) => {
  if (user.twoFactorEnabled || !isOffered(operations.identity.enableTwoFactor)) return null;
  return (
    <aside
      aria-label={t("shell.warning")}
      className="shrink-0 border-b border-warning/25 bg-warning-soft px-4 py-2 text-sm text-ink sm:px-6"
    >
      {t("shell.passwordOnly")}{" "}
      <a
        href={accountAddress("/security", { session: "own" })}
        target="_blank"
        rel="noreferrer"
        className="rounded-sm font-medium underline underline-offset-2"
      >
        {t("shell.setUpApp")}
      </a>
    </aside>
  );
};
