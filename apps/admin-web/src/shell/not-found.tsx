import { Link } from "@tanstack/react-router";
import { buttonStyle } from "../components/ui/button-style.ts";
import { EmptyState } from "../components/ui/empty-state.tsx";

/** Shown for an unknown address. */
export const NotFound = () => (
  <EmptyState
    title="There is no such page"
    action={
      <Link to="/" className={buttonStyle()}>
        Go home
      </Link>
    }
  >
    The address may be mistyped, or from an older version.
  </EmptyState>
);
