import { outcomes } from "./outcomes.ts";

/** The patterns of the chart and its legend. They take no space. */
export const OutcomePatterns = () => (
  <svg aria-hidden="true" className="absolute size-0">
    <defs>
      {outcomes.map(({ name, color, pattern }) => (
        <pattern key={name} id={`use-${name}`} width="8" height="8" patternUnits="userSpaceOnUse">
          <rect width="8" height="8" fill="var(--color-surface)" />
          <path
            d={pattern}
            fill={name === "valid" || name === "forbidden" ? color : "none"}
            stroke={color}
            strokeWidth="2"
          />
        </pattern>
      ))}
    </defs>
  </svg>
);
