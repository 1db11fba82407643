import { showEmail } from "@latchkey/contracts/email-address.ts";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { IconButton } from "@latchkey/ui/components/icon-button.tsx";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, Navigate } from "@tanstack/react-router";
import { LogOut, UserPlus } from "lucide-react";
import { Picture } from "../../components/account/picture.tsx";
import { CardPage } from "../../components/card-page.tsx";
import { useTranslation } from "../../languages.ts";
import {
  type DeviceUser,
  useDeviceUsers,
  useEndDeviceSession,
  useSwitch,
} from "../../session/device-sessions.ts";
import { sessionQuery } from "../../session/session-query.ts";
import { useArrive } from "../../session/use-arrive.ts";
import { ScreenError } from "../../shell/screen-error.tsx";
import { Splash } from "../../shell/splash.tsx";

const route = getRouteApi("/choose");

interface UserRowProps {
  entry: DeviceUser;
  isBusy: boolean;
  onChoose: () => void;
  onSignOut: (() => void) | undefined;
}

/** A user of this browser: the whole row chooses, and the button at its end signs out. */
const UserRow = ({ entry, isBusy, onChoose, onSignOut }: UserRowProps) => {
  const t = useTranslation("choose");
  const { name, email, image } = entry.user;
  const shown = name || showEmail(email);
  return (
    <li className="flex items-center gap-1 py-1">
      <button
        type="button"
        aria-busy={isBusy}
        onClick={onChoose}
        className="flex min-h-14 min-w-0 flex-1 items-center gap-3 rounded-md px-2 text-start hover:bg-sunken"
      >
        <Picture name={shown} address={image} />
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">{shown}</span>
          <span className="block truncate text-sm text-muted">{showEmail(email)}</span>
        </span>
      </button>
      {onSignOut && (
        <IconButton label={t("signOut", { name: shown })} onClick={onSignOut}>
          <LogOut className="rtl:-scale-x-100" />
        </IconButton>
      )}
    </li>
  );
};

/** Chooses the user with whom the browser continues, signs one out, or lets somebody else sign in. */
export const ChooseScreen = () => {
  const t = useTranslation("choose");
  const { redirect_to } = route.useSearch();
  const { data: entries, error, refetch } = useDeviceUsers();
  const arrive = useArrive();
  const change = useSwitch(arrive);
  const end = useEndDeviceSession();
  // Without an active session, somebody has to be chosen first.
  const { data: session } = useQuery(sessionQuery);
  if (error) return <ScreenError error={error} reset={() => void refetch()} />;
  if (!entries) return <Splash />;
  if (entries.length === 0) return <Navigate to="/sign-in" search={{ redirect_to }} />;
  const refusal = change.error ?? end.error;
  return (
    <CardPage title={t("title")} lead={t("text")}>
      <ul aria-label={t("title")} className="flex flex-col divide-y">
        {entries.map((entry) => (
          <UserRow
            key={entry.user.id}
            entry={entry}
            isBusy={change.variables === entry.session.token}
            onChoose={() => change.mutate(entry.session.token)}
            onSignOut={session ? () => end.mutate(entry.session.token) : undefined}
          />
        ))}
      </ul>
      {refusal && <FormError error={refusal} />}
      <Link
        to="/sign-in"
        search={{ redirect_to, add: "true" }}
        className={buttonStyle("secondary")}
      >
        <UserPlus />
        {t("other")}
      </Link>
    </CardPage>
  );
};
