import type { FormContent } from '../content.ts';
import axeThrowing from './axe-throwing.json' with { type: 'json' };
import caving from './caving.json' with { type: 'json' };
import climbingHall from './climbing-hall.json' with { type: 'json' };
import diveSchool from './dive-school.json' with { type: 'json' };
import escapeRoom from './escape-room.json' with { type: 'json' };
import fitnessStudio from './fitness-studio.json' with { type: 'json' };
import highRopes from './high-ropes.json' with { type: 'json' };
import hotAirBalloon from './hot-air-balloon.json' with { type: 'json' };
import karting from './karting.json' with { type: 'json' };
import kayakTour from './kayak-tour.json' with { type: 'json' };
import mountainBike from './mountain-bike.json' with { type: 'json' };
import paintball from './paintball.json' with { type: 'json' };
import quadTour from './quad-tour.json' with { type: 'json' };
import rafting from './rafting.json' with { type: 'json' };
import riding from './riding.json' with { type: 'json' };
import skiRental from './ski-rental.json' with { type: 'json' };
import surfCamp from './surf-camp.json' with { type: 'json' };
import tandemSkydive from './tandem-skydive.json' with { type: 'json' };
import trampolinePark from './trampoline-park.json' with { type: 'json' };
import zipline from './zipline.json' with { type: 'json' };

/** A starting point for a trade's form. Its texts are examples: have a lawyer review them. */
export interface ExampleForm {
  /** Such as `rafting`. */
  readonly trade: string;
  readonly name: string;
  readonly content: FormContent;
}

// A test holds the files to the schema, so that pages in browsers need no zod, and no `eval` that their policy refuses.
const isContent = (value: unknown): value is FormContent =>
  typeof value === 'object' && value !== null && 'pages' in value;

/** Forms for twenty trades; the first is the default. */
export const exampleForms: readonly ExampleForm[] = [
  rafting,
  karting,
  climbingHall,
  diveSchool,
  trampolinePark,
  riding,
  escapeRoom,
  skiRental,
  paintball,
  surfCamp,
  highRopes,
  kayakTour,
  mountainBike,
  tandemSkydive,
  zipline,
  quadTour,
  axeThrowing,
  caving,
  hotAirBalloon,
  fitnessStudio,
].flatMap(({ trade, name, content }) => (isContent(content) ? [{ trade, name, content }] : []));
