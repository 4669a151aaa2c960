import type { LucideIcon } from 'lucide-react';

interface IconProps {
  /** The drawing, from lucide-react. */
  of: LucideIcon;
  /** Width and height in pixels. */
  size?: number;
}

/** A line icon, 1.75 px at every size. It decorates: the words that it stands by say what it means. */
export function Icon({ of: Drawing, size = 24 }: IconProps) {
  return <Drawing size={size} strokeWidth={1.75} nonScalingStroke focusable={false} />;
}
