import { BASE, folderOf, imports, LEVELS } from './source-map.ts';

const WIDTH = 1200;
/** The house; the rest of the width is for the arrows between floors. */
const HOUSE = { left: 24, right: 990 };
/** The left edge of the boxes; before it stands what the floor is for. */
const BOXES_LEFT = 292;
const ROOF_HEIGHT = 88;
const FLOOR_HEIGHT = 88;
const GAP = 12;
const BOX_HEIGHT = 34;
const FONT = 'font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif"';
/** A color per floor, from the top: of its frame and of the arrows that leave it. */
const COLORS = ['#b4540a', '#a3216e', '#1f5fbf', '#0b7a75', '#5b3fc4', '#2f7d32', '#9a6b00', '#475569'];

interface Floor {
  name: string;
  about: string;
  rooms: { id: string; name: string }[];
  top: number;
  color: string;
}

/** An SVG of the wings as floors of a house, with the imports between and inside them; `page` is ARCHITECTURE.md. */
export function drawHouse(page: string): string {
  const floors = planFloors(page);
  const height = (floors.at(-1)?.top ?? 0) + FLOOR_HEIGHT + 24;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" ${FONT} role="img" aria-label="${summaryOf(floors)}">`,
    '<!-- Generated from the imports by npm run generate; do not edit. -->',
    `<defs>${floors.map(({ color }) => marker(color)).join('')}</defs>`,
    `<rect width="${WIDTH}" height="${height}" rx="12" fill="#ffffff"/>`,
    drawRoof(),
    ...floors.map(drawFloor),
    ...drawArrowsBetween(floors),
    '</svg>',
  ];
  return `${parts.join('\n')}\n`;
}

function planFloors(page: string): Floor[] {
  const described = [...page.matchAll(/^\*\*(\w+)\*\*: (.+)\.$/gm)];
  const about = Object.fromEntries(described.map(([, name = '', words = '']) => [name.toLowerCase(), words]));
  const wings = LEVELS.flatMap((level) => Object.entries(level)).map(([name, features]) => ({
    name,
    about: about[name] ?? '',
    rooms: features.map((feature) => ({ id: `${name}/${feature}`, name: feature })),
  }));
  const base = BASE.map((name) => ({ id: name, name }));
  const foundation = { name: 'foundation', about: 'what every wing may import', rooms: base };
  return [foundation, ...wings].toReversed().map((floor, index) => ({
    ...floor,
    top: ROOF_HEIGHT + GAP * 2 + index * (FLOOR_HEIGHT + GAP),
    color: COLORS[index % COLORS.length] ?? '#475569',
  }));
}

function summaryOf(floors: Floor[]): string {
  return `The wings of the service, from the top: ${floors.map(({ name }) => name).join(', ')}. Each imports only from those below it.`;
}

function marker(color: string): string {
  const shape = `<path d="M0 0 L7 3.5 L0 7 z" fill="${color}"/>`;
  return `<marker id="to${color.slice(1)}" markerWidth="7" markerHeight="7" refX="6" refY="3.5" orient="auto">${shape}</marker>`;
}

function drawRoof(): string {
  const { left, right } = HOUSE;
  const middle = (left + right) / 2;
  const legend = ['An arrow goes from a wing or a', 'feature to one that it imports.'];
  const [top, bottom] = [16, ROOF_HEIGHT + GAP];
  return [
    `<path d="M${left} ${bottom} L${middle} ${top} L${right} ${bottom} z" fill="#f1f5f9" stroke="#475569" stroke-width="1.5" stroke-linejoin="round"/>`,
    text(middle, bottom - 34, 'main.ts · app.ts · compose.ts', { size: 15, bold: true, anchor: 'middle' }),
    ...legend.map((line, index) =>
      text(WIDTH - 24, 34 + index * 18, line, { size: 13, anchor: 'end', color: '#475569' }),
    ),
    text(middle, bottom - 14, 'open, connect and serve every feature', {
      size: 13,
      anchor: 'middle',
      color: '#475569',
    }),
  ].join('\n');
}

function drawFloor({ name, about, rooms, top, color }: Floor): string {
  const { left, right } = HOUSE;
  const boxTop = top + FLOOR_HEIGHT - BOX_HEIGHT - 10;
  const placed = placeRooms(rooms);
  const boxes = placed.flatMap(({ label, x, width }) => [
    `<rect x="${x}" y="${boxTop}" width="${width}" height="${BOX_HEIGHT}" rx="6" fill="#ffffff" stroke="${color}"/>`,
    text(x + width / 2, boxTop + 22, label, { size: 13, anchor: 'middle' }),
  ]);
  const arrows = placed.flatMap((from) =>
    placed
      .filter(
        (to) => to !== from && imports.some((one) => folderOf(one.from) === from.id && folderOf(one.to) === to.id),
      )
      .map((to) => drawArrowInside(from, to, boxTop, color)),
  );
  return [
    `<rect x="${left}" y="${top}" width="${right - left}" height="${FLOOR_HEIGHT}" rx="8" fill="${color}" fill-opacity="0.06" stroke="${color}" stroke-width="1.5"/>`,
    text(left + 16, top + 40, name, { size: 17, bold: true, color }),
    text(left + 16, top + 60, about, { size: 13, color: '#475569' }),
    ...boxes,
    ...arrows,
  ].join('\n');
}

interface Placed {
  id: string;
  label: string;
  x: number;
  width: number;
}

/** Boxes as wide as their names, lower to higher from the left, with equal gaps. */
function placeRooms(rooms: Floor['rooms']): Placed[] {
  let x = BOXES_LEFT;
  return rooms.map(({ id, name }) => {
    const width = Math.round(name.length * 7 + 22);
    const placed = { id, label: name, x, width };
    x += width + 12;
    return placed;
  });
}

/** An arc above the boxes, from the importing one to the left. */
function drawArrowInside(from: Placed, to: Placed, boxTop: number, color: string): string {
  const [start, end] = [from.x + from.width / 2 - 6, to.x + to.width / 2 + 6];
  const lift = Math.min(46, 18 + (start - end) / 14);
  const line = `M${start} ${boxTop} C${start} ${boxTop - lift} ${end} ${boxTop - lift} ${end} ${boxTop - 2}`;
  return arrow(line, color, 1.2);
}

/** Arcs beside the house, each from a floor to one below it that it imports. The longest are the outermost. */
function drawArrowsBetween(floors: Floor[]): string[] {
  const wingOf = (file: string) => folderOf(file).split('/')[0];
  const wings = floors.slice(0, -1);
  const pairs = wings.flatMap((from, index) =>
    wings
      .slice(index + 1)
      .filter((to) => imports.some((one) => wingOf(one.from) === from.name && wingOf(one.to) === to.name))
      .map((to) => ({ from, to, distance: wings.indexOf(to) - index })),
  );
  return pairs.map(({ from, to, distance }) => {
    const leaving = pairs.filter((one) => one.from === from).toSorted((a, b) => b.distance - a.distance);
    const arriving = pairs.filter((one) => one.to === to).toSorted((a, b) => a.distance - b.distance);
    const start = from.top + FLOOR_HEIGHT / 2 + 2 + port(leaving.findIndex((one) => one.to === to));
    const end = to.top + 8 + port(arriving.findIndex((one) => one.from === from));
    const x = HOUSE.right + 20 + distance * 36;
    return arrow(`M${HOUSE.right} ${start} C${x} ${start} ${x} ${end} ${HOUSE.right + 2} ${end}`, from.color, 1.6);
  });
}

/** The distance of one arrow's end from the first. */
const port = (index: number) => index * 7;

function arrow(line: string, color: string, width: number): string {
  return `<path d="${line}" fill="none" stroke="${color}" stroke-width="${width}" marker-end="url(#to${color.slice(1)})"/>`;
}

interface Style {
  size: number;
  bold?: boolean;
  anchor?: 'middle' | 'end';
  color?: string;
}

function text(x: number, y: number, words: string, { size, bold, anchor, color = '#0f172a' }: Style): string {
  const style = `font-size="${size}"${bold ? ' font-weight="600"' : ''}${anchor ? ` text-anchor="${anchor}"` : ''}`;
  return `<text x="${x}" y="${y}" ${style} fill="${color}">${words}</text>`;
}
