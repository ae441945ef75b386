const PATHS = {
  agents:
    'M12 3v3m-5 2h10a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2Zm2.5 4.5v1m5-1v1M2.5 12.5v3m19-3v3',
  analysis: 'M4 5h11M4 10h7M4 15h5m6.500 3a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm3-1 2.500 2.500',
  back: 'M15 5l-7 7 7 7',
  calls: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  campaigns: 'M4 10v4h3l8 4V6L7 10H4Zm14-1a4 4 0 0 1 0 6M8 14l1 6h2l-.6-5',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  close: 'M6 6l12 12M18 6L6 18',
  copy: 'M9 9h10v10H9zM5 15V5h10',
  costs: 'M4 19V9m5 10V5m5 14v-7m5 7V8',
  deliveries: 'M4 12h11m0 0-4-4m4 4-4 4M20 5v14',
  down: 'M12 4v12m0 0-5-5m5 5 5-5M5 20h14',
  hangup:
    'M3.500 13.500c0-1 .5-1.800 1.400-2.300a15 15 0 0 1 14.200 0c.9.500 1.400 1.300 1.400 2.300v1.300a1.200 1.200 0 0 1-1.400 1.200l-2.700-.4a1.200 1.200 0 0 1-1-1.100l-.1-1.600a10 10 0 0 0-6.600 0l-.1 1.600a1.200 1.200 0 0 1-1 1.100l-2.700.4a1.200 1.200 0 0 1-1.400-1.200z',
  headphones:
    'M4 15v-2a8 8 0 0 1 16 0v2M4 15a2 2 0 0 1 2-2h1v6H6a2 2 0 0 1-2-2v-2Zm16 0a2 2 0 0 0-2-2h-1v6h1a2 2 0 0 0 2-2v-2Z',
  higher: 'm6 15 6-6 6 6',
  live: 'M12 13a1 1 0 1 0 0-2 1 1 0 0 0 0 2Zm-4 3a5.6 5.6 0 0 1 0-8m8 0a5.6 5.6 0 0 1 0 8M5 19a9.9 9.9 0 0 1 0-14m14 0a9.9 9.9 0 0 1 0 14',
  menu: 'M4 7h16M4 12h16M4 17h16',
  lower: 'm6 9 6 6 6-6',
  mic: 'M12 15a3 3 0 0 0 3-3V6a3 3 0 1 0-6 0v6a3 3 0 0 0 3 3Zm-6-3a6 6 0 0 0 12 0M12 18v3',
  moon: 'M20 14.5A8 8 0 0 1 9.5 4a8 8 0 1 0 10.5 10.5Z',
  numbers: 'M9 4 7 20M17 4l-2 16M4 9h16M4 15h16',
  overview: 'M4 4h7v9H4zM13 4h7v5h-7zM13 11h7v9h-7zM4 15h7v5H4z',
  phone:
    'M6.5 4h3l1.5 4-2 1.5a11 11 0 0 0 5.5 5.5l1.5-2 4 1.5v3a2 2 0 0 1-2.2 2A16.5 16.5 0 0 1 4.5 6.2 2 2 0 0 1 6.5 4Z',
  policies: 'M12 3 5 6v5c0 4.500 3 8 7 10 4-2 7-5.500 7-10V6l-7-3Zm-3 9 2.200 2.200L15.500 10',
  plus: 'M12 5v14M5 12h14',
  refresh: 'M20 11a8 8 0 1 0-.6 4M20 5v6h-6',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14Zm5-2 4.5 4.5',
  settings:
    'M4 7h9m5 0h2M4 17h2m5 0h9M15.5 9.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5Zm-7 10a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5Z',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm0-13v2m0 14v2M3 12h2m14 0h2M5.600 5.600 7 7m10 10 1.400 1.400M5.600 18.400 7 17M17 7l1.400-1.400',
  system: 'M4 5h16v11H4zM9 20h6m-3-4v4',
  tests: 'M9 3h6M10 3v6.500l-5 8.500a2 2 0 0 0 1.700 3h10.600a2 2 0 0 0 1.700-3l-5-8.500V3M7.500 15h9',
  transfer: 'M4 8h13m0 0-3.5-3.5M17 8l-3.5 3.5M20 16H7m0 0 3.5-3.5M7 16l3.5 3.5',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5m4-5v5',
  up: 'M12 16V4m0 0 5 5m-5-5L7 9M5 20h14',
  updown: 'm8 10 4-4 4 4m-8 4 4 4 4-4',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-7 8a7 7 0 0 1 14 0',
  users:
    'M9 12a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7Zm-6 7a6 6 0 0 1 12 0M16 5.500a3.500 3.500 0 0 1 0 6.500m2 2.500a6 6 0 0 1 3 4.500',
} as const;

export type IconName = keyof typeof PATHS;

/** An icon next to a word, or in a labeled button. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg className="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
