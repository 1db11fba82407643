import { Button } from "@latchkey/ui/components/button.tsx";
import { Link } from "@tanstack/react-router";
import { LogOut, Menu, X } from "lucide-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { facts } from "../../facts.ts";
import { addressOf } from "../../session/address-of.ts";
import { useSignOut } from "../../session/use-sign-out.ts";
import { FormError } from "../../components/form-error.tsx";
import { LanguageChoice } from "../../components/language-choice.tsx";
import { Navigation } from "./navigation.tsx";
import { ThemeChoice } from "./theme-choice.tsx";

const { branding } = facts;

const Brand = () => (
  <Link to="/" className="min-w-0 truncate rounded text-base font-semibold">
    {branding.logo ? (
      <img src={branding.logo} alt={branding.name} className="h-7 max-w-40 object-contain" />
    ) : (
      branding.name
    )}
  </Link>
);

const SignOut = ({ isBusy, onSignOut }: { isBusy: boolean; onSignOut: () => void }) => {
  const { t } = useTranslation("account");
  return (
    <Button kind="quiet" isBusy={isBusy} onClick={onSignOut}>
      <LogOut className="rtl:-scale-x-100" />
      {t("signOut")}
    </Button>
  );
};

/** The header of all screens for signed-in users. A narrow window has everything in a menu. */
export const TopBar = () => {
  const { t } = useTranslation("account");
  const [isOpen, setIsOpen] = useState(false);
  const menuId = useId();
  const signOut = useSignOut(addressOf("/"));
  const choices = (
    <>
      <LanguageChoice />
      <ThemeChoice />
      <SignOut isBusy={signOut.isPending} onSignOut={() => signOut.mutate()} />
    </>
  );
  return (
    <header className="border-b bg-surface">
      <div className="mx-auto flex h-14 max-w-5xl items-center justify-between gap-3 px-4">
        <Brand />
        <div className="hidden items-center gap-2 min-[640px]:flex">{choices}</div>
        <Button
          kind="quiet"
          size="icon"
          className="min-[640px]:hidden"
          aria-label={t("menu")}
          aria-expanded={isOpen}
          aria-controls={menuId}
          onClick={() => setIsOpen((was) => !was)}
        >
          {isOpen ? <X /> : <Menu />}
        </Button>
      </div>
      <div id={menuId} hidden={!isOpen} className="border-t px-4 py-3 min-[640px]:hidden">
        {isOpen && (
          <>
            <Navigation onGo={() => setIsOpen(false)} />
            <div className="mt-3 flex flex-wrap items-center gap-2 border-t pt-3">{choices}</div>
          </>
        )}
      </div>
      {signOut.error && (
        <div className="mx-auto max-w-5xl px-4 pb-3">
          <FormError error={signOut.error} />
        </div>
      )}
    </header>
  );
};
