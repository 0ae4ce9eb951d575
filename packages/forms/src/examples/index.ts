import { axeThrowing } from './axe-throwing.ts';
import { caving } from './caving.ts';
import { climbingHall } from './climbing-hall.ts';
import { diveSchool } from './dive-school.ts';
import { escapeRoom } from './escape-room.ts';
import type { ExampleForm } from './example-form.ts';
import { fitnessStudio } from './fitness-studio.ts';
import { highRopes } from './high-ropes.ts';
import { hotAirBalloon } from './hot-air-balloon.ts';
import { karting } from './karting.ts';
import { kayakTour } from './kayak-tour.ts';
import { mountainBike } from './mountain-bike.ts';
import { paintball } from './paintball.ts';
import { quadTour } from './quad-tour.ts';
import { rafting } from './rafting.ts';
import { riding } from './riding.ts';
import { skiRental } from './ski-rental.ts';
import { surfCamp } from './surf-camp.ts';
import { tandemSkydive } from './tandem-skydive.ts';
import { trampolinePark } from './trampoline-park.ts';
import { zipline } from './zipline.ts';

export type { ExampleForm };

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
];
