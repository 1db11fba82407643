import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import {
  DropdownMenu,
  MenuChoices,
  MenuItem,
  MenuLine,
} from "@latchkey/ui/components/dropdown-menu.tsx";
import { Logo } from "@latchkey/ui/components/logo.tsx";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { ArrowLeft, Building2, ChevronsUpDown, Menu, X } from "lucide-react";
import { useId, useState } from "react";
import { Picture } from "../../components/account/picture.tsx";
import { facts } from "../../facts.ts";
import { useTranslation } from "../../languages.ts";
import { AvatarMenu, useAvatarMenu } from "./avatar-menu.tsx";
import { Navigation } from "./navigation.tsx";

type SignedIn = NonNullable<CallReply<typeof operations.identity.getSession>>;

const { branding, applicationURL } = facts;

const Brand = () => (
  <Link
    to="/"
    className="flex h-10 min-w-10 shrink items-center truncate rounded-sm text-lg font-semibold"
  >
    <Logo name={branding.name} logo={branding.logo} className="h-7 max-w-40" />
  </Link>
);

/** Leads back to the application whose users have their account here. */
const BackToApplication = () => {
  const t = useTranslation("page");
  if (applicationURL === undefined) return null;
  return (
    <a href={applicationURL} className={buttonStyle("quiet")}>
      <ArrowLeft className="rtl:-scale-x-100" />
      {t("goToApplication", { name: branding.name })}
    </a>
  );
};

const { listOrganizations, setActiveOrganization } = operations.organization;
const hasOrganizations = isOffered(listOrganizations);

interface OrganizationSwitcherProps {
  activeId: string | null | undefined;
  onSwitch: (organizationId: string) => void;
}

/** Switches between the organizations of the user. Not shown without any. */
const OrganizationSwitcher = ({ activeId, onSwitch }: OrganizationSwitcherProps) => {
  const t = useTranslation("account");
  const navigate = useNavigate();
  const { data } = useQuery({
    ...operationQuery(listOrganizations, {}),
    enabled: hasOrganizations,
  });
  if (!data?.length) return null;
  const active = data.find(({ id }) => id === activeId);
  const name = active?.name ?? t("organization.none");
  return (
    <DropdownMenu
      trigger={
        <Button kind="quiet" className="max-w-60 min-w-10 px-1.5">
          <span className="sr-only">{t("organization.label")}</span>
          {active ? <Picture name={name} address={active.logo} isSquare isSmall /> : <Building2 />}
          <span className="truncate max-sm:sr-only">{name}</span>
          <ChevronsUpDown className="max-sm:hidden" />
        </Button>
      }
    >
      <MenuChoices
        label={t("organization.label")}
        value={active?.id ?? ""}
        choices={data.map((one) => ({ value: one.id, label: one.name }))}
        onChange={onSwitch}
        closesMenu
      />
      <MenuLine />
      <MenuItem onSelect={() => void navigate({ to: "/organizations" })}>
        <Building2 />
        {t("organization.all")}
      </MenuItem>
    </DropdownMenu>
  );
};

/** The header of all screens for signed-in users. A narrow window has the navigation in a menu. */
export const TopBar = ({ session: signedIn }: { session: SignedIn }) => {
  const t = useTranslation("account");
  const [isOpen, setIsOpen] = useState(false);
  const menuId = useId();
  const activate = useOperation(setActiveOrganization, {
    done: (active) => t("organizations:switched", { name: active?.name ?? "" }),
  });
  const acts = useAvatarMenu();
  const error = acts.error ?? activate.error;
  return (
    <header className="border-b bg-surface">
      <div className="mx-auto flex h-14 max-w-5xl items-center gap-2 px-4">
        <Button
          kind="quiet"
          size="icon"
          className="-ms-2.5 sm:hidden"
          aria-label={t("menu")}
          aria-expanded={isOpen}
          aria-controls={menuId}
          onClick={() => setIsOpen((was) => !was)}
        >
          {isOpen ? <X /> : <Menu />}
        </Button>
        <Brand />
        <div className="ms-auto flex items-center gap-1">
          <div className="max-sm:hidden">
            <BackToApplication />
          </div>
          <OrganizationSwitcher
            activeId={signedIn.session.activeOrganizationId}
            onSwitch={(organizationId) => activate.mutate({ body: { organizationId } })}
          />
          <AvatarMenu session={signedIn} acts={acts} />
        </div>
      </div>
      <div id={menuId} hidden={!isOpen} className="border-t px-4 py-3 sm:hidden">
        {isOpen && (
          <>
            <Navigation onGo={() => setIsOpen(false)} />
            <div className="mt-3 border-t pt-3 empty:hidden">
              <BackToApplication />
            </div>
          </>
        )}
      </div>
      {error && (
        <div className="mx-auto max-w-5xl px-4 pb-3">
          <FormError error={error} />
        </div>
      )}
    </header>
  );
};
