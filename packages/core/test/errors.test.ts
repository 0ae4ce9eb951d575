import { describe, expect, it, vi } from 'vitest';
import {
  AuthenticationRejected,
  BookingNotFound,
  InvalidBookingResponse,
  isBookingSystemError,
  RateLimited,
  WaiverRejected,
} from '../src/index.ts';

describe('an error between us and a booking system', () => {
  it('is recognised whichever copy of the package made it', async () => {
    vi.resetModules();
    const copy = await import('../src/index.ts');
    const error = new copy.BookingNotFound('no booking B1');
    expect(error).not.toBeInstanceOf(BookingNotFound);
    expect(isBookingSystemError(error)).toBe(true);
    expect(isBookingSystemError(new Error('no booking B1'))).toBe(false);
    expect(isBookingSystemError(null)).toBe(false);
  });

  it('says its code, whether to try again, and what the booking system answered', () => {
    expect(new BookingNotFound('none', { upstreamStatus: 404 })).toMatchObject({
      name: 'BookingNotFound',
      code: 'booking_not_found',
      retryable: false,
      upstreamStatus: 404,
      inDoubt: false,
    });
    expect(new RateLimited('slow', { retryAfter: 3000 })).toMatchObject({
      retryable: true,
      retryAfter: 3000,
    });
    expect(new AuthenticationRejected('key')).toMatchObject({ code: 'booking_system_auth_rejected' });
    expect(new WaiverRejected('gone', { retry: 'never' }).retryable).toBe(false);
    expect(new WaiverRejected('busy', { retry: 'schedule' }).retryable).toBe(true);
  });

  it('about a body names every place', () => {
    const error = new InvalidBookingResponse('not a booking', [
      { path: 'contact.name', message: 'is missing' },
      { path: 'pax', message: 'is not a number' },
    ]);
    expect(error.message).toBe('not a booking: contact.name is missing; pax is not a number');
  });
});
