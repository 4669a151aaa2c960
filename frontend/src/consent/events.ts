/** Where a button is: the page names of frontend/routes.json that have recorded buttons. */
export type AnalyticsLocation =
  | 'crossroad'
  | 'events'
  | 'landing'
  | 'landing-sailors'
  | 'landing-companies'
  | 'marketplace'
  | 'newsletter'
  | 'profile'
  | 'sign-in'
  | 'sign-up'
  | 'not-found';

/** The buttons of spec section 2, by their English labels, and the events of the calendar. */
export type ButtonName =
  | 'back'
  | 'back_to_home'
  | 'cancel'
  | 'cancel_email_change'
  | 'change_email'
  | 'change_password'
  | 'confirm_delete_account'
  | 'confirm_sign_out_everywhere'
  | 'create_account'
  | 'create_your_free_profile'
  | 'delete_account'
  | 'download_data'
  | 'early_access'
  | 'edit_profile'
  | 'event'
  | 'explore_features'
  | 'get_started'
  | 'go_back'
  | 'join'
  | 'join_the_community'
  | 'open_dashboard'
  | 'remove'
  | 'resend_verification'
  | 'restore'
  | 'retry'
  | 'save_changes'
  | 'save_password'
  | 'send_email_link'
  | 'send_reset_link'
  | 'set_sail'
  | 'sign_in'
  | 'sign_out_everywhere'
  | 'start_advertising'
  | 'start_your_journey'
  | 'view_details';

type UserType = 'sailor' | 'company';

/** The analytics events (spec section 1) without personal data; docs/analytics.md lists them too. */
export interface AnalyticsEvents {
  /** `item`: the id of what was opened. */
  button_click: { button: ButtonName; location: AnalyticsLocation; item?: string };
  /** A click on a link to another page of this site; `area`: the landmark or dialog around it. */
  navigation: { from_path: string; to_path: string; area: string };
  /** A subscription. `signup_source`, because Google Analytics uses `source` for the campaign. */
  newsletter_signup: { user_type: UserType; signup_source?: 'landing-sailors' | 'landing-companies' };
  user_type_selection: { user_type: UserType; location: AnalyticsLocation };
  /** `item`: the address of the chosen link. Choosing closes the menu without a `close` event. */
  menu_interaction: {
    menu: 'overlay' | 'phone' | 'user';
    action: 'open' | 'close' | 'choose';
    item?: string;
  };
  page_view: { page_path: string; page_title: string; language: string };
}
