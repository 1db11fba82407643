import { Link } from "@tanstack/react-router";
import { useAccess } from "../access/use-access.ts";
import { screens } from "./screens.ts";
import { visibleScreens } from "./visible-screens.ts";

interface NavigationProps {
  /** Called when a link is followed. */
  onGo?: (() => void) | undefined;
}

/** Links to all screens that the admin may see. */
export const Navigation = ({ onGo }: NavigationProps) => {
  const { may } = useAccess();
  return (
    <nav aria-label="Screens">
      <ul className="flex flex-col gap-0.5">
        {visibleScreens(screens, may).map(({ label, to, icon: Icon }) => (
          <li key={to}>
            <Link
              to={to}
              activeOptions={{ exact: to === "/" }}
              onClick={onGo}
              className="flex h-9 items-center gap-2.5 rounded-md px-3 font-medium text-muted hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent [&_svg]:size-4"
            >
              <Icon aria-hidden="true" />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
};
